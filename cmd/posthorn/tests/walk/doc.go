// Package walk holds the test that walks: people of every kind who press only what a whole house offered them, on the
// page just rendered or in a mail that arrived, for weeks in a bubble of time. It knows no form, no letter and no
// address by heart, and it judges what every press led to.
package walk

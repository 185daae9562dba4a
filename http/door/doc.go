// Package door is what the pages and the API share: who asks and in which language, what they
// may see, and their wishes as commands of the desk. The two differ in how they read what is
// asked and how they answer, and in nothing else.
package door

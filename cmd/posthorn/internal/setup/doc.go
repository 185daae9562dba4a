// Package setup has the parts of "posthorn setup": it asks a host questions, knows the mail servers of common
// providers, says in plain words why a mail server cannot be used, and writes the file of settings and the unit for
// systemd. Which questions there are, and how an answer is tried, does not belong here.
package setup

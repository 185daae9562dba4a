// Package provider holds the tests of a house that has nothing but an ordinary account at a provider: it sends through
// Postfix by a password, and reads its answers from Dovecot by the same, beside mails of others.
package provider

// Package inbound takes the mails that reach this house: from a mail server over LMTP, or from anybody over SMTP. The
// recipient's address alone decides where each goes, before anything in it is read. What somebody wrote in answer to a
// mail becomes commands for the desk, and one letter answers it.
//
// Behind a mail server everything is accepted: a refusal would bounce to the mail's claimed sender, who mostly did not
// write it. What must not live here: how to take a mail apart (mail/reply), how letters look (mail), rules.
package inbound

// Package inbound takes the mails that come to this house: from a mail server over LMTP, or from
// anybody over SMTP. Each goes where its recipient's address says, before anything of it is read;
// what somebody wrote in answer to a mail is made into commands and given to the desk, and
// answered by one letter.
//
// Behind a mail server everything is accepted: what is refused there comes back to whoever the
// mail says that it is from, who mostly did not write it. What may not live here: how a mail is
// taken apart (mail/reply), how letters look (mail), rules.
package inbound

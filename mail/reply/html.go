package reply

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// quoteLine replaces a quote in a text.
const quoteLine = "\n>\n"

// HTML returns a page's text without its quotes: one line per block, and a ">" in place of each quote.
func HTML(page string) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	var skip string // the element being skipped, and how many of its kind are open
	depth, pre := 0, 0
	for out.Len() < maxText {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.String()
		}
		t := z.Token()
		switch {
		case skip != "":
			switch {
			case kind == html.StartTagToken && t.Data == skip:
				depth++
			case kind == html.EndTagToken && t.Data == skip:
				if depth--; depth == 0 {
					skip = ""
				}
			}
			continue
		case kind == html.TextToken && pre > 0:
			out.WriteString(t.Data)
			continue
		case kind == html.TextToken:
			out.WriteString(strings.NewReplacer("\r", " ", "\n", " ").Replace(t.Data))
			continue
		case kind == html.StartTagToken && marked(t, originals):
			out.WriteString(quoteLine) // the answered mail follows
			return out.String()
		case kind == html.StartTagToken && leftOut(t):
			skip, depth = t.Data, 1
			if t.DataAtom == atom.Blockquote || marked(t, quotes) {
				out.WriteString(quoteLine)
			}
			continue
		case t.DataAtom == atom.Pre && kind == html.StartTagToken:
			pre++
		case t.DataAtom == atom.Pre && kind == html.EndTagToken && pre > 0:
			pre--
		}
		if slices.Contains(blocks, t.DataAtom) {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

var (
	blocks = []atom.Atom{atom.Br, atom.P, atom.Div, atom.Tr, atom.Li, atom.Hr, atom.Pre, atom.H1, atom.H2, atom.H3,
		atom.Table, atom.Ul, atom.Ol, atom.Body}
	void = []atom.Atom{atom.Br, atom.Hr, atom.Img, atom.Input, atom.Meta, atom.Link, atom.Wbr, atom.Col, atom.Area,
		atom.Base, atom.Embed, atom.Source, atom.Track}
	mute = []atom.Atom{atom.Script, atom.Style, atom.Head, atom.Title, atom.Blockquote, atom.Template, atom.Noscript,
		atom.Object, atom.Svg}
)

// Classes and ids by which mail programs mark the answered mail: around it, before it, and around signatures.
var (
	quotes = []string{"gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote",
		"zmail_extra", "tutanota_quote"}
	originals = []string{"divrplyfwdmsg", "appendonsend", "outlookmessageheader"}
	signed    = []string{"moz-signature", "gmail_signature", "protonmail_signature_block"}
)

func marked(t html.Token, marks []string) bool {
	for _, a := range t.Attr {
		if a.Key == "class" || a.Key == "id" {
			for name := range strings.FieldsSeq(strings.ToLower(a.Val)) {
				if slices.Contains(marks, name) {
					return true
				}
			}
		}
	}
	return false
}

// leftOut reports whether an element holds nothing that its writer has just written.
func leftOut(t html.Token) bool {
	if slices.Contains(void, t.DataAtom) {
		return false
	}
	if slices.Contains(mute, t.DataAtom) || marked(t, quotes) || marked(t, signed) {
		return true
	}
	for _, a := range t.Attr {
		if a.Key == "hidden" || a.Key == "style" &&
			strings.Contains(strings.ReplaceAll(strings.ToLower(a.Val), " ", ""), "display:none") {
			return true
		}
	}
	return false
}

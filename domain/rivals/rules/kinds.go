package rules

import (
	"posthorn/domain"
	"posthorn/domain/rivals/state"
	"posthorn/domain/rivals/table"
)

// kind is a row of the table of tasks: everything the rules know about a kind of task. A choice has answer and list;
// a step that nobody chooses has only step.
type kind struct {
	asks state.AskKind // which decision it is for the seat whose turn it is not

	verb   state.Verb                                  // of its answers
	names  func(*state.Move) bool                      // what else they have, if anything
	first  string                                      // why other moves are refused, if all answers have one form
	pass   bool                                        // the player may pass
	stays  bool                                        // an answer does not, or not by itself, take it out of the queue
	answer func(*deciding, state.Task) *domain.Refusal // judges an answer and carries it out
	list   func(*lister, *state.Task)                  // lists the answers
	nth    func(n int) state.Move                      // the n-th answer, if their number is fixed
	ways   int                                         // that number

	step func(*deciding, state.Task)          // what it does, if nobody chooses
	idle func(*state.State, *state.Task) bool // whether nothing is left to choose, so that it falls away
	auto func(*deciding) bool                 // does what leaves no choice, and reports whether it did anything
	any  func(*deciding, *state.Task)         // answers it in some simple way, for an estimate
	done bool                                 // an estimate takes this step

	sound func(*state.State, *state.Task) bool // whether what a given task refers to exists
}

var kinds [state.TaskKinds]kind

func init() {
	kinds = [state.TaskKinds]kind{
		state.TaskPay: {asks: state.AskPay, verb: state.PayFrom, first: "pay-first", stays: true,
			answer: (*deciding).answerPay, list: (*lister).flow, auto: (*deciding).autoFlow, any: (*deciding).moveAny},
		state.TaskSave: {asks: state.AskGain, verb: state.Save, names: namesGoods, first: "name-a-resource",
			stays:  true,
			answer: (*deciding).answerSave, list: (*lister).saves, auto: (*deciding).autoSave,
			any: func(g *deciding, t *state.Task) { g.save(savable(g.s, t).First()) }},
		state.TaskGain: {asks: state.AskGain, verb: state.Into, stays: true,
			answer: (*deciding).answerGain, list: (*lister).flow, auto: (*deciding).autoFlow, any: (*deciding).moveAny},
		state.TaskTake: {asks: state.AskGain, verb: state.Take, names: namesGoods, first: "name-a-resource",
			answer: (*deciding).answerTake, list: (*lister).takes, idle: func(s *state.State, t *state.Task) bool {
				return taken(s, t) == 0
			}, auto: (*deciding).autoTake},
		state.TaskBuy: {asks: state.AskBuy, verb: state.Buy, names: namesGoods, first: "name-a-resource", pass: true,
			answer: (*deciding).answerBuy, list: (*lister).buys, idle: func(s *state.State, t *state.Task) bool {
				return buyable(s, t) == 0
			}},
		state.TaskReturn: {asks: state.AskGain, verb: state.Give, names: namesGoods, first: "name-a-resource",
			answer: (*deciding).answerReturn, list: func(l *lister, _ *state.Task) {
				l.goods(state.Give, l.r.Stock(), 1, nil)
			}, idle: func(s *state.State, t *state.Task) bool { return s.Realms[t.Seat].Stock().Total() == 0 }},
		state.TaskReact: {asks: state.AskReact, verb: state.React, names: namesCard, first: "react-or-pass", pass: true,
			answer: (*deciding).answerReact, list: (*lister).reacts, sound: hasCard},
		state.TaskRiot: {asks: state.AskRiot, answer: (*deciding).answerRiot, list: (*lister).riots, sound: hasCard},
		state.TaskBury: {asks: state.AskBury, verb: state.Bury, first: "bury-first", answer: (*deciding).answerBury,
			list: (*lister).buries, sound: hasCard},
		state.TaskName: {asks: state.AskName, verb: state.NameCard, first: "name-a-card", stays: true,
			answer: namingOne.answer, list: namingOne.list, idle: func(s *state.State, t *state.Task) bool {
				return t.N > 0 && noTargets(s, t)
			}, auto: (*deciding).autoName},
		state.TaskLose: {asks: state.AskLose, verb: state.Lose, first: "name-a-card", answer: losing.answer,
			list: losing.list, idle: noTargets, auto: losing.auto},
		state.TaskSink: {asks: state.AskSink, verb: state.Lose, first: "name-a-card", answer: sinking.answer,
			list: sinking.list, idle: noTargets, auto: sinking.auto},
		state.TaskBurn: {asks: state.AskGain, verb: state.NameCard, first: "name-a-card", answer: burning.answer,
			list: burning.list, idle: noTargets, auto: burning.auto},
		state.TaskSteal: {asks: state.AskGain, verb: state.Take, names: namesCard, first: "take-first", pass: true,
			answer: (*deciding).answerSteal, list: (*lister).steals},
		state.TaskSearch: {asks: state.AskGain, verb: state.Stack, first: "which-stack",
			answer: (*deciding).answerStack, list: (*lister).stacks, idle: func(s *state.State, _ *state.Task) bool {
				return !anyStack(s)
			}},
		state.TaskStack: {asks: state.AskBegin, verb: state.Stack, first: "which-stack",
			answer: (*deciding).answerStack, list: (*lister).stacks},
		state.TaskPick: {asks: state.AskGain, verb: state.Take, names: namesCard, first: "take-first",
			answer: (*deciding).answerPick, list: func(l *lister, t *state.Task) { l.takeFrom(l.s.Decks[t.Arg].All()) },
			sound: hasStack},
		state.TaskHand: {asks: state.AskBegin, verb: state.Hand, first: "hand-first", answer: (*deciding).answerHand,
			list: (*lister).hands, sound: hasStack},
		state.TaskFetch: {asks: state.AskGain, verb: state.Take, names: namesCard, first: "take-first",
			answer: (*deciding).answerFetch, list: func(l *lister, _ *state.Task) { l.takeFrom(fetchable(l.s)) },
			idle:  func(s *state.State, _ *state.Task) bool { return s.DiscardN <= 1 },
			sound: func(s *state.State, _ *state.Task) bool { return s.DiscardN > 0 }},
		state.TaskCorners: {asks: state.AskGain, verb: state.Corners, first: "corners-first",
			answer: (*deciding).answerCorners, list: (*lister).corners, idle: func(_ *state.State, t *state.Task) bool {
				return t.N == 0
			}, sound: hasColumn},
		state.TaskMove: {asks: state.AskGain, answer: (*deciding).answerMove, list: (*lister).moves},
		state.TaskArrange: {asks: state.AskBegin, verb: state.Arrange, first: "arrange-first",
			answer: (*deciding).answerArrange, nth: arrangement, ways: orders},

		state.TaskRoad: {done: true, sound: hasColumn, step: func(g *deciding, t state.Task) {
			g.do(state.Op{Code: state.OpRoad, Seat: t.Seat, Column: int8(t.Arg)})
		}},
		state.TaskCity: {done: true, sound: hasColumn, step: func(g *deciding, t state.Task) {
			g.do(state.Op{Code: state.OpCity, Seat: t.Seat, Column: int8(t.Arg)})
		}},
		state.TaskSettle: {done: true, sound: hasColumn, step: (*deciding).newSettlement},
		state.TaskPlace:  {done: true, step: (*deciding).place},
		state.TaskFace:   {step: (*deciding).face},
		state.TaskEvent:  {sound: hasEvent, step: (*deciding).resolveEvent},
		state.TaskEvtEnd: {sound: hasEvent, step: func(g *deciding, _ state.Task) {
			g.do(state.Op{Code: state.OpEvtDone})
		}},
		state.TaskAct: {step: func(g *deciding, _ state.Task) {
			g.do(state.Op{Code: state.OpPhase, Seat: g.s.Active, Phase: state.Acting})
		}},
		state.TaskHit: {sound: hasCard, step: (*deciding).hit},
		state.TaskStart: {step: func(g *deciding, _ state.Task) {
			g.do(state.Op{Code: state.OpTurn, Seat: g.s.First, N: 1})
		}},
		state.TaskLook: {sound: hasStack, step: (*deciding).look},
	}
}

func namesCard(m *state.Move) bool { return m.Card != table.NoCard }

func hasCard(_ *state.State, t *state.Task) bool   { return t.Card != table.NoCard }
func hasStack(s *state.State, t *state.Task) bool  { return t.Arg >= 0 && t.Arg < int16(s.DecksN) }
func hasColumn(_ *state.State, t *state.Task) bool { return t.Arg >= 0 && t.Arg < table.Columns }
func hasEvent(s *state.State, _ *state.Task) bool  { return s.Event != table.NoCard }

// sound reports whether what a given task refers to exists, and who answers it if somebody must.
func sound(s *state.State, t *state.Task) bool {
	k := &kinds[t.Kind]
	return t.Kind != state.NoTask && (k.answer == nil || t.Seat != domain.Nobody) && (k.sound == nil || k.sound(s, t))
}

// asks reports whether a given task asks its seat something now, and does not fall away.
func asks(s *state.State, t *state.Task) bool {
	k := &kinds[t.Kind]
	falls := k.idle != nil && k.idle(s, t) || (t.Kind == state.TaskPay || t.Kind == state.TaskGain) && openTo(s, t) == 0
	return k.answer != nil && !falls
}

// answer judges a move that answers a task of its seat.
func (g *deciding) answer(t state.Task) *domain.Refusal {
	k := &kinds[t.Kind]
	switch {
	case k.answer == nil:
		return domain.Refuse("not-awaited", "seat", g.seat)
	case g.mv.Verb == state.Pass && mayPass(g.s, &t):
		g.drop()
		return nil
	case k.first != "" && (g.mv.Verb != k.verb || k.names != nil && !k.names(g.mv)):
		return domain.Refuse(k.first)
	case !k.stays:
		g.drop()
	}
	return k.answer(g, t)
}

// auto does what needs no question: the next step of an effect, and a choice with only one option. It reports whether
// it did anything.
func (g *deciding) auto() bool {
	t := &g.s.Tasks[0]
	switch k := &kinds[t.Kind]; {
	case k.step != nil:
		k.step(g, g.drop())
	case k.idle != nil && k.idle(g.s, t):
		g.drop()
	default:
		return k.auto != nil && k.auto(g)
	}
	return true
}

// mayPass reports whether a task may be answered by nothing: that of the Library only by option.
func mayPass(s *state.State, t *state.Task) bool {
	return kinds[t.Kind].pass || t.Kind == state.TaskPick && s.Phase != state.Exchanging && mayTakeFewer(s)
}

// task lists the answers to a task.
func (l *lister) task(t *state.Task) {
	k := &kinds[t.Kind]
	if k.list != nil {
		k.list(l, t)
	}
	for n := range k.ways {
		l.add(k.nth(n))
	}
	if mayPass(l.s, t) {
		l.add(state.Move{Verb: state.Pass})
	}
}

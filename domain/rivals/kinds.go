package rivals

import "posthorn/domain"

// kind is a row of the table of tasks: all that the rules know of a kind of task. A choice has
// answer and list; a step that nobody chooses has step alone.
type kind struct {
	asks askKind // the decision it is to a seat whose turn it is not

	answer func(*deciding, int, *Task) *domain.Refusal // judges and does what a move answers
	list   func(*lister, *Task)                        // lists the answers
	nth    func(n int) Move                            // the n-th answer, where there are always
	ways   int                                         // so many

	step func(*deciding, Task)       // what it does, where nobody chooses
	idle func(*State, *Task) bool    // whether nothing is left to choose, so that it falls away
	auto func(*deciding, int) bool   // does what is no choice, and tells whether that was anything
	any  func(*deciding, int, *Task) // answers it in some plain way, for an estimate
	done bool                        // an estimate takes this step

	sound func(*State, *Task) bool // whether what a given one refers to is there
}

var kinds [taskKinds]kind

func init() {
	kinds = [taskKinds]kind{
		taskPay:     {asks: askPay, answer: (*deciding).answerPay, list: (*lister).pays, idle: (*State).paid, auto: (*deciding).autoPay, any: (*deciding).payAny},
		taskSave:    {asks: askGain, answer: (*deciding).answerSave, list: (*lister).saves, auto: (*deciding).autoSave, any: (*deciding).saveAny},
		taskGain:    {asks: askGain, answer: (*deciding).answerGain, list: (*lister).gains, idle: (*State).gained, auto: (*deciding).autoGain, any: (*deciding).gainAny},
		taskTake:    {asks: askGain, answer: (*deciding).answerTake, list: (*lister).takes, idle: (*State).tookAll, auto: (*deciding).autoTake},
		taskBuy:     {asks: askBuy, answer: (*deciding).answerBuy, list: (*lister).buys, idle: (*State).boughtAll},
		taskReturn:  {asks: askGain, answer: (*deciding).answerReturn, list: (*lister).returns, idle: (*State).emptyStores},
		taskReact:   {asks: askReact, answer: (*deciding).answerReact, list: (*lister).reacts, sound: hasCard},
		taskRiot:    {asks: askRiot, answer: (*deciding).answerRiot, list: (*lister).riots, sound: hasCard},
		taskBury:    {asks: askBury, answer: (*deciding).answerBury, list: (*lister).buries, sound: hasCard},
		taskName:    {asks: askName, answer: (*deciding).answerName, list: (*lister).names, idle: (*State).noneToName, auto: (*deciding).autoName},
		taskLose:    {asks: askLose, answer: (*deciding).answerLose, list: (*lister).loses, idle: (*State).noTargets, auto: (*deciding).autoLose},
		taskSink:    {asks: askSink, answer: (*deciding).answerSink, list: (*lister).sinks, idle: (*State).noTargets, auto: (*deciding).autoSink},
		taskBurn:    {asks: askGain, answer: (*deciding).answerBurn, list: (*lister).names, idle: (*State).noTargets, auto: (*deciding).autoBurn},
		taskSteal:   {asks: askGain, answer: (*deciding).answerSteal, list: (*lister).steals},
		taskSearch:  {asks: askGain, answer: (*deciding).answerStack, list: (*lister).stacks, idle: (*State).noStack},
		taskStack:   {asks: askBegin, answer: (*deciding).answerStack, list: (*lister).stacks},
		taskPick:    {asks: askGain, answer: (*deciding).answerPick, list: (*lister).picks, sound: hasStack},
		taskHand:    {asks: askBegin, answer: (*deciding).answerHand, list: (*lister).hands, sound: hasStack},
		taskFetch:   {asks: askGain, answer: (*deciding).answerFetch, list: (*lister).fetches, idle: (*State).nothingToFetch, sound: hasDiscard},
		taskCorners: {asks: askGain, answer: (*deciding).answerCorners, list: (*lister).corners, idle: (*State).noCorners, sound: hasColumn},
		taskMove:    {asks: askGain, answer: (*deciding).answerMove, list: (*lister).moves},
		taskArrange: {asks: askBegin, answer: (*deciding).answerArrange, nth: arrangement, ways: orders},

		taskRoad: {done: true, sound: hasColumn, step: func(g *deciding, t Task) {
			g.do(Op{Code: opRoad, Seat: t.Seat, Column: int8(t.Arg)})
		}},
		taskCity: {done: true, sound: hasColumn, step: func(g *deciding, t Task) {
			g.do(Op{Code: opCity, Seat: t.Seat, Column: int8(t.Arg)})
		}},
		taskSettle: {done: true, sound: hasColumn, step: (*deciding).newSettlement},
		taskPlace:  {done: true, step: (*deciding).place},
		taskFace:   {step: (*deciding).face},
		taskEvent:  {sound: hasEvent, step: (*deciding).resolveEvent},
		taskEvtEnd: {sound: hasEvent, step: func(g *deciding, _ Task) { g.do(Op{Code: opEvtDone}) }},
		taskAct:    {step: func(g *deciding, _ Task) { g.do(Op{Code: opPhase, Seat: g.s.Active, Phase: Acting}) }},
		taskHit:    {sound: hasCard, step: (*deciding).hit},
		taskStart:  {step: func(g *deciding, _ Task) { g.do(Op{Code: opTurn, Seat: g.s.First, N: 1}) }},
		taskLook:   {sound: hasStack, step: (*deciding).look},
	}
}

func hasCard(_ *State, t *Task) bool    { return t.Card != NoCard }
func hasStack(s *State, t *Task) bool   { return t.Arg >= 0 && t.Arg < int16(s.DecksN) }
func hasColumn(_ *State, t *Task) bool  { return t.Arg >= 0 && t.Arg < columns }
func hasEvent(s *State, _ *Task) bool   { return s.Event != NoCard }
func hasDiscard(s *State, _ *Task) bool { return s.DiscardN > 0 }

// sound tells whether what a given task refers to is there.
func (s *State) sound(t *Task) bool {
	check := kinds[t.Kind].sound
	return t.Kind != noTask && (check == nil || check(s, t))
}

// answer judges a move that answers the open task of its seat.
func (g *deciding) answer(i int) *domain.Refusal {
	t := &g.s.Tasks[i]
	if f := kinds[t.Kind].answer; f != nil {
		return f(g, i, t)
	}
	return domain.Refuse("not-awaited", "seat", g.seat)
}

// auto does what nobody needs to be asked about: the next step of an effect, and a choice
// that is none. It tells whether anything was done.
func (g *deciding) auto(i int) bool {
	t := &g.s.Tasks[i]
	switch k := &kinds[t.Kind]; {
	case k.step != nil:
		k.step(g, g.drop(i))
	case k.idle != nil && k.idle(g.s, t):
		g.drop(i)
	default:
		return k.auto != nil && k.auto(g, i)
	}
	return true
}

// task lists the answers to a task.
func (l *lister) task(t *Task) {
	k := &kinds[t.Kind]
	if k.list != nil {
		k.list(l, t)
	}
	for n := range k.ways {
		l.add(k.nth(n))
	}
}

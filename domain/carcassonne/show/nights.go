package show

import "posthorn/domain"

// Nights are the drawings' colours on a dark page. What is paper (figures' marks, letters) stays.
var Nights = []domain.Night{
	fieldColor.AtNight(0x64753F),
	grainColor.AtNight(0x4B5D31),
	turfColor.AtNight(0x46562E),
	bushColor.AtNight(0x45572C),
	bushLight.AtNight(0x53683A),
	roadColor.AtNight(0xB9AB8C),
	casingColor.AtNight(0x6D5F47),
	cityColor.AtNight(0x9A7849),
	cityShade.AtNight(0x87673C),
	wallColor.AtNight(0x5A3A22),
	stoneColor.AtNight(0x866441),
	roofColor.AtNight(0xA3543B),
	roofShade.AtNight(0x7C3D2B),
	thatchColor.AtNight(0x8D7145),
	thatchShade.AtNight(0x6D5530),
	waterColor.AtNight(0x3F6D85),
	waterLight.AtNight(0x5688A2),
	bankColor.AtNight(0x375665),
	courtColor.AtNight(0xA2966F),
	kerbColor.AtNight(0x7A6B49),
	wallLight.AtNight(0xB8AE98),
	hedgeColor.AtNight(0x3F5729),
	{Day: sheetColor, Night: domain.RGB(0x26231E), Ground: true},
	gridColor.AtNight(0x322E27),
	{Day: roofLine, Night: domain.RGB(0xFFCF6B), Line: roofLine}, // a window is lit
}

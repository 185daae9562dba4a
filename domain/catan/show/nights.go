package show

import (
	"posthorn/domain"
	"posthorn/domain/catan/table"
)

// Nights are the drawings' colours on a dark page. What is paper (tokens, signs, letters) stays; what is drawn in ink
// on paper beside the board changes places with it.
var Nights = append(landNights(),
	domain.Night{Day: colSea, Night: domain.RGB(0x233D49), Ground: true},
	colWave.AtNight(0x2F4D5A),
	colCoast.AtNight(0x2A4857),
	colSand.AtNight(0x9A8D6C),
	colRaised.AtNight(0x2F2A23),
	domain.Night{Panel: domain.PanelHand, Day: colPaper, Night: domain.RGB(0x2F2A23), Line: colPaper},
	domain.Night{Panel: domain.PanelHand, Day: colLine, Night: domain.RGB(0x6E6555), Line: colLine},
	domain.Night{Panel: domain.PanelHand, Day: colInk, Night: domain.RGB(0xEDE6D6), Line: domain.RGB(0x8A8070)},
	domain.Night{Panel: domain.PanelHand, Day: colSoft, Night: softNight, Line: colSoft},
	domain.Night{Panel: domain.PanelCosts, Day: colSoft, Night: softNight},
	domain.Night{Panel: domain.PanelOffers, Day: colSoft, Night: softNight, Line: colSoft},
	domain.Night{Panel: domain.PanelOffers, Day: colAccent, Night: domain.RGB(0x4FC3BE)},
)

const softNight = domain.Color(0xA79F90FF)

// landNights are those of the terrains.
func landNights() (list []domain.Night) {
	ground := [table.TerrainCount]uint32{0x8E5636, 0x3C5D3D, 0x667F4C, 0x98803A, 0x62686F, 0x9A8A61}
	pattern := [table.TerrainCount]uint32{0x5F331D, 0x274A2D, 0x4C6A38, 0x5E460C, 0x41464C, 0x7D6C3F}
	for i := range ground {
		list = append(list, colTerrain[i].AtNight(ground[i]), colPattern[i].AtNight(pattern[i]))
	}
	return list
}

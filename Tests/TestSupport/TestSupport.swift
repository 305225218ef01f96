// What the tests of several targets share: an origin that misbehaves on request, a clock set by
// hand, a corpus of feeds. It knows none of the house's targets, so that any test may use it.

// Helpers shared by the tests of several targets: an origin that misbehaves on request, a clock set
// by hand, a corpus of feeds. It imports none of Weir's targets, so that any test may use it.

"""Formants of vowels by language and gender: F1 and F2 in Hz, one pair a vowel.

Sources: English, Hillenbrand et al. 1995; Italian, Bertinetto (the values of men, for both genders); Spanish,
Bradlow; Dutch, Adank et al., southern Dutch; Mandarin, Yang.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["VOWELS", "Gender"]

Gender = Literal["f", "m"]
Vowels = dict[Gender, tuple[tuple[int, int], ...]]

# fmt: off
_ENGLISH: Vowels = {
    "f": (
        (437, 2779), (533, 2479), (543, 2320), (691, 2056), (855, 1845), (912, 1448), (707, 1219), (537, 1069),
        (524, 1331), (463, 1180), (759, 1403), (548, 1650),
    ),
    "m": (
        (370, 2299), (468, 2049), (479, 2019), (610, 1794), (738, 1661), (793, 1299), (624, 1089), (471, 939),
        (462, 1179), (395, 1029), (663, 1239), (490, 1469),
    ),
}
_ITALIAN_VOWELS = (
    (290, 2310), (350, 2050), (490, 1950), (780, 1430), (550, 970), (390, 870), (320, 800),
)
_ITALIAN: Vowels = {"f": _ITALIAN_VOWELS, "m": _ITALIAN_VOWELS}
_SPANISH: Vowels = {
    "f": (
        (286, 2147), (458, 1814), (638, 1353), (460, 1019), (322, 992),
    ),
    "m": (
        (290, 2250), (450, 1850), (700, 1300), (450, 950), (300, 850),
    ),
}
_DUTCH: Vowels = {
    "f": (
        (725, 1262), (868, 1640), (581, 1932), (436, 2420), (439, 1804), (455, 2115), (317, 2647), (475, 987),
        (321, 1019), (418, 968), (457, 1785), (337, 2077), (696, 1282), (670, 2159), (696, 1762),
    ),
    "m": (
        (555, 1066), (717, 1429), (475, 1616), (384, 1993), (374, 1539), (364, 1745), (278, 2179), (398, 850),
        (266, 978), (369, 862), (353, 1492), (265, 1825), (549, 1127), (545, 1779), (583, 1484),
    ),
}
_MANDARIN: Vowels = {
    "f": (
        (340, 2641), (458, 2465), (403, 1172), (496, 1157), (906, 1429), (434, 2444), (762, 2078), (846, 1956),
        (807, 1534), (424, 1188), (752, 1243),
    ),
    "m": (
        (328, 2206), (422, 2064), (368, 1028), (444, 1111), (742, 1284), (412, 2046), (606, 1823), (693, 1800),
        (728, 1368), (377, 1054), (633, 1094),
    ),
}
# fmt: on

VOWELS: dict[str, Vowels] = {
    "en": _ENGLISH,
    "it": _ITALIAN,
    "es": _SPANISH,
    "nl": _DUTCH,
    "zh": _MANDARIN,
    "cmn": _MANDARIN,
}
"""The table of each language, by the code before the first ``-``."""

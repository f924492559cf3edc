"""The rules for one model: actions by status, what skills, gear and tags change."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandbox.errors import UserError
from sandbox.rules import ActionRules, FighterRules, Pack, Refusal, load_pack, pack_names
from sandbox.rules.words import Allow, Cost, Ground, Posture, Procedure


def taken(rules: FighterRules, action: str) -> ActionRules:
    found = rules.action(action)
    assert isinstance(found, ActionRules), found
    return found


def refused(rules: FighterRules, action: str) -> Refusal:
    found = rules.action(action)
    assert isinstance(found, Refusal), found
    return found


def test_crawling_half_of_m_5(necro23: Pack, necro17: Pack) -> None:
    assert taken(necro23.for_fighter({"M": 5}, status="prone-pinned"), "crawl").allowance == 2.5
    assert taken(necro17.for_fighter({"M": 5}, status="prone-pinned"), "crawl").allowance == 3.0
    rounded = necro23.with_settings({"crawl_rounding": "up"})
    assert taken(rounded.for_fighter({"M": 5}, status="pinned"), "crawl").allowance == 3.0


def test_double_move_is_two_moves_in_one_edition_and_one_in_the_other(necro23: Pack, necro17: Pack) -> None:
    assert [m.most for m in taken(necro23.for_fighter({"M": 5}), "double-move").moves] == [5, 5]
    assert [m.most for m in taken(necro17.for_fighter({"M": 5}), "double-move").moves] == [10]


def test_a_charge_is_m_and_a_d3(necro23: Pack, necro17: Pack) -> None:
    for pack in (necro23, necro17):
        charge = taken(pack.for_fighter({"M": 5}), "charge")
        assert charge.allowance == 8
        assert [dict(move.values) for move in charge.moves] == [dict.fromkeys((6, 7, 8), Fraction(1, 3))]
        assert charge.row.near_enemies and charge.row.must_engage
        assert charge.row.cost is Cost.DOUBLE


def test_difficult_ground_and_slowed_in_blightmeer(blightmeer: Pack) -> None:
    assert taken(blightmeer.for_fighter({"M": 9}), "move").allowance == 9
    slow = blightmeer.for_fighter({"M": 9}, status="slowed")
    assert slow.statuses == ("standing", "slowed")
    assert taken(slow, "move").allowance - slow.movement.difficult_once == 4
    assert taken(blightmeer.for_fighter({"M": 9}), "move").allowance - slow.movement.difficult_once == 7
    both = blightmeer.for_fighter({"M": 9}, gear=["treasure"], status="slowed")
    assert taken(both, "move").allowance == 6
    assert taken(blightmeer.for_fighter({"M": 2}, gear=["treasure"]), "move").allowance == 0


@pytest.mark.parametrize(
    ("status", "may"),
    [
        ("standing", {"move", "double-move", "charge", "crawl-through", "operate-door"}),
        ("prone-pinned", {"crawl", "crawl-through", "stand-up"}),
        ("prone-seriously-injured", {"crawl"}),
        ("standing + broken", {"flee", "operate-door"}),
        ("mobile", {"move", "double-move"}),
        ("stalled", set()),
        ("wrecked", set()),
    ],
)
def test_what_a_status_may_do(necro23: Pack, status: str, may: set[str]) -> None:
    rules = necro23.for_fighter(status=status)
    assert {key for key, found in rules.actions.items() if isinstance(found, ActionRules)} == may


def test_what_an_engaged_model_may_do(necro23: Pack, necro17: Pack, blightmeer: Pack) -> None:
    def allowed(pack: Pack) -> set[str]:
        rules = pack.for_fighter(engaged=True)
        return {key for key, found in rules.actions.items() if isinstance(found, ActionRules)}

    assert allowed(necro23) == {"retreat"}
    assert allowed(necro17) == {"disengage"}
    assert allowed(blightmeer) == set()
    assert refused(necro23.for_fighter(engaged=True), "move") == Refusal(
        "engaged", "'move' is not allowed while engaged", "004, Standing (Engaged)"
    )


@pytest.mark.parametrize("status", ["stunned", "dazed", "tried-to-engage", "incapacitated"])
def test_what_stops_a_move_in_blightmeer(blightmeer: Pack, status: str) -> None:
    refusal = refused(blightmeer.for_fighter(status=status), "move")
    assert refusal.source.startswith("003, ")


def test_an_unknown_action_is_a_refusal_that_lists_those_there_are(necro23: Pack) -> None:
    refusal = refused(necro23.for_fighter(), "chargé")
    assert refusal.rule == "action"
    assert refusal.text.startswith(
        "necromunda-2023 has no action 'chargé'; did you mean 'charge'? Allowed: move,"
    )
    assert refusal.source == "004, Fighter Status"


def test_gear_gives_its_action(necro23: Pack, necro17: Pack) -> None:
    for pack in (necro23, necro17):
        assert "grapnel launcher" in refused(pack.for_fighter(), "grapnel").text
        assert taken(pack.for_fighter(gear=["grapnel-launcher"]), "grapnel").row.reach == 12
        assert taken(pack.for_fighter(gear=["Grapnel"]), "grapnel").row.procedure is Procedure.GRAPNEL


def test_clamber_climbs_at_the_price_of_walking(necro23: Pack, necro17: Pack) -> None:
    for pack in (necro23, necro17):
        rules = pack.for_fighter(skills=["clamber"])
        assert rules.movement.climb_cost == 1
        assert rules.changed_by["climb_cost"] == ("skill.clamber",)
        assert pack.movement.climb_cost == 2


def test_sprint_and_strider_and_sprinter(necro23: Pack, necro17: Pack) -> None:
    sprint = taken(necro23.for_fighter({"M": 5}, skills=["sprint"]), "double-move")
    assert [m.most for m in sprint.moves] == [5, 10]
    strider = necro17.for_fighter({"M": 5}, skills=["strider"])
    assert (taken(strider, "double-move").allowance, taken(strider, "charge").allowance) == (13, 11)
    assert taken(strider, "move").allowance == 5
    assert strider.ignores == {Ground.DIFFICULT}
    both = necro17.for_fighter({"M": 5}, skills=["strider", "sprinter"])
    assert taken(both, "double-move").allowance == 17
    assert [int(v) for v, _ in taken(both, "double-move").moves[0].values] == list(range(13, 18))


def test_acrobatic_clamber_and_the_price_of_a_barricade(necro17: Pack) -> None:
    plain = necro17.movement
    assert plain.cross_extra(1.0, 0.5) == 0.5
    flat = necro17.with_settings({"cross_cost": "flat"})
    assert flat.movement.cross_extra(1.0, 0.5) == 2
    assert flat.for_fighter(skills=["acrobatic"]).movement.cross_extra(1.5, 1.5) == 0
    clamber = flat.for_fighter(skills=["clamber"]).movement
    assert clamber.cross_extra(1.0, 1.0) == 0
    assert clamber.cross_extra(1.0, 2.0, width=1.0) == 0
    assert clamber.cross_extra(1.05, 1.0) == 2
    assert clamber.cross_extra(1.0, 1.05) == 2
    acrobatic = necro17.for_fighter(skills=["acrobatic"]).movement
    assert acrobatic.pass_enemies and acrobatic.pass_friends and acrobatic.keep_at_end_only


def test_obstacles_cost_their_height(necro23: Pack, blightmeer: Pack) -> None:
    assert necro23.movement.cross_extra(1.25, 0.5) == 1.25
    assert blightmeer.movement.cross_extra(1.0, 0.5) == 0


def test_low_crawler_crawls_as_a_simple_action(necro17: Pack) -> None:
    rules = necro17.for_fighter(skills=["low-crawler"], status="pinned")
    assert taken(rules, "crawl").row.cost is Cost.SIMPLE
    assert taken(rules, "crawl-through").row.cost is Cost.SIMPLE
    found = rules.procedure(Procedure.STAND_UP)
    assert found is not None
    assert found[0].id == "skill.low-crawler"
    assert taken(necro17.for_fighter(status="pinned"), "crawl").row.cost is Cost.DOUBLE


def test_procedures_come_with_their_numbers(necro17: Pack) -> None:
    rules = necro17.for_fighter(gear=["jump-booster", "rocket-pack"])
    booster, rocket = rules.procedure(Procedure.BOOSTER), rules.procedure(Procedure.ROCKET_JUMP)
    assert booster is not None and (booster[1].inches, booster[1].once) == (3, "activation")
    assert rocket is not None and rocket[1].check == "initiative"
    assert rules.procedure(Procedure.FLY) is None


def test_a_grav_chute_neither_rolls_nor_hurts(necro23: Pack, necro17: Pack) -> None:
    for pack in (necro23, necro17):
        rules = pack.for_fighter(gear=["grav-chute"])
        assert rules.movement.jump_check == "none"
        assert not rules.movement.fall_is_a_hit(20.0)
        assert rules.movement.fall_status == "standing"
        assert rules.movement.leap_check == "initiative"


def test_tags(necro23: Pack, blightmeer: Pack) -> None:
    assert necro23.for_fighter(tags=["mounted"]).forbidden == {Allow.CLIMB, Allow.LADDER}
    assert blightmeer.for_fighter(tags=["animal"]).movement.ladder_check == "agility"
    tracked = necro23.for_fighter(tags=["vehicle: tracked", "vehicle"])
    assert tracked.ignores == {Ground.DIFFICULT}
    assert tracked.movement.keep_distance == 0
    assert tracked.movement.dangerous_check == "handling"


def test_posture_and_height(necro23: Pack) -> None:
    assert necro23.for_fighter().height == 1.4
    prone = necro23.for_fighter(status="Prone Pinned")
    assert (prone.posture, prone.height) == (Posture.PRONE, 0.6)
    assert necro23.for_fighter(status=["standing", "broken"]).statuses == ("standing", "broken")
    assert necro23.for_fighter(status="broken").statuses == ("standing", "broken")


def test_profiles_fill_in_what_is_missing(necro23: Pack, blightmeer: Pack) -> None:
    assert necro23.for_fighter({"M": 6}).profile == {"M": 6, "I": 4, "S": 3, "T": 3, "W": 1, "Hnd": 4}
    assert blightmeer.for_fighter().profile == {"M": 6, "A": 9, "W": 1}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"skills": ["clambr"]}, "no skill 'clambr'; did you mean 'clamber'"),
        ({"gear": ["jetpack"]}, "no gear 'jetpack'; allowed: grapnel-launcher"),
        ({"tags": ["mount"]}, "no tag 'mount'; did you mean 'mounted'"),
        ({"status": "pined"}, "no status 'pined'"),
        ({"status": "engaged"}, "no status 'engaged'"),
        ({"profile": {"Q": 3}}, "no characteristic 'Q'"),
    ],
)
def test_unknown_names_are_an_error_or_left_out(necro23: Pack, given: dict[str, object], text: str) -> None:
    with pytest.raises(UserError) as error:
        necro23.for_fighter(**given)  # type: ignore[arg-type]
    assert text in str(error.value)
    assert "\n" not in str(error.value)
    lenient = necro23.for_fighter(**given, strict=False)  # type: ignore[arg-type]
    assert len(lenient.ignored) == 1
    assert lenient.statuses == ("standing",)


def test_the_statuses_of_one_game_are_understood_by_the_others() -> None:
    for name in pack_names():
        for status in ("standing", "prone-pinned", "prone-seriously-injured"):
            assert load_pack(name).for_fighter(status=status).ignored == ()


@pytest.mark.parametrize("name", ["necromunda-2023", "necromunda-2017", "blightmeer"])
def test_every_skill_gear_and_tag_can_be_had_alone_and_together(name: str) -> None:
    pack = load_pack(name)
    file = pack.file
    for section in ("skills", "gear", "tags"):
        for key in getattr(file, section):
            rules = pack.for_fighter(**{section: [key]})
            assert rules.used[0].id.partition(".")[2] == key
    everything = pack.for_fighter(skills=list(file.skills), gear=list(file.gear), tags=list(file.tags))
    assert len(everything.used) == len(file.skills) + len(file.gear) + len(file.tags)


def test_typical_fighters(necro23: Pack) -> None:
    stats = {key: tuple(f.stats.values()) for key, f in necro23.file.fighters.items()}
    assert stats == {
        "goliath": (4, 4), "escher": (5, 3), "orlock": (5, 4), "cawdor": (5, 4), "delaque": (5, 4), "van-saar": (4, 5),
        "squat": (4, 5), "ogryn": (5, 4), "ash-waste-nomad": (6, 3), "juve": (6, 3),
    }  # fmt: skip

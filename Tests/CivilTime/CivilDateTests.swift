import FencelineCivilTime
import FencelineTestSupport
import Testing

struct CivilDateTests {
  @Test(
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (19_782, "2024-02-29"),
      (20_513, "2026-03-01"), (24_855, "2038-01-19"), (-25_508, "1900-03-01"), (-135_081, "1600-02-29"),
      (-141_427, "1582-10-15"), (-719_162, "0001-01-01"), (-719_468, "0000-03-01"), (2_932_896, "9999-12-31"),
    ] as [(Int, String)])
  func knownDays(_ days: Int, _ text: String) {
    let date = CivilDate(daysSince1970: days)
    #expect(date.description == text)
    #expect(date.daysSince1970 == days)
    #expect(date.start.milliseconds == Int64(days) * 86_400_000)
  }

  @Test func everyDayComesBackFromItsDate() {
    var wrong: [Int] = []
    for days in stride(from: -800_000, through: 2_900_000, by: 37) {
      let date = CivilDate(daysSince1970: days)
      let isRight =
        date.daysSince1970 == days && (1...12).contains(date.month)
        && (1...CivilDate.days(inMonth: date.month, of: date.year)).contains(date.day)
      if !isRight { wrong.append(days) }
    }
    #expect(wrong == [])
  }

  /// Counts the days one by one through three changes of century, of which one has a leap day.
  @Test func theCalendarGoesOnDayByDay() {
    var (year, month, day) = (1890, 1, 1)
    var wrong = 0
    for days in -29_219...84_000 {
      let date = CivilDate(daysSince1970: days)
      if (date.year, date.month, date.day) != (year, month, day) { wrong += 1 }
      day += 1
      let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(wrong == 0)
    #expect(year == 2199)
  }

  @Test(
    arguments: [
      (2026, 2, 29), (2100, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 4, 31), (2026, 1, 0), (2026, 1, 32),
      (-1, 1, 1), (10_000, 1, 1),
    ] as [(Int, Int, Int)])
  func daysThatDoNotExist(_ year: Int, _ month: Int, _ day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test func datesStandInTheirOrder() throws {
    let dates = try [(2025, 12, 31), (2026, 1, 1), (2026, 1, 2), (2026, 2, 1)].map {
      try #require(CivilDate(year: $0.0, month: $0.1, day: $0.2))
    }
    #expect(dates.shuffled().sorted() == dates)
  }

  @Test(
    arguments: [
      (0, "1970-01-01"), (-1, "1969-12-31"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"),
      (-86_400_000, "1969-12-31"), (-86_400_001, "1969-12-30"),
    ] as [(Int64, String)])
  func theDayOfAnInstantIsThatOfUTC(_ milliseconds: Int64, _ day: String) {
    #expect(CivilDate(Timestamp(milliseconds: milliseconds)).description == day)
  }
}

const DAY = 24 * 60 * 60 * 1000;

/** Days and instants relative to the day of loading. */
export interface Calendar {
  /** `YYYY-MM-DD`, so many days from today (negative: ago). */
  day(offset: number): string;
  /** An instant of a day, at an hour and minute in UTC; never later than now. */
  at(offset: number, hour: number, minute: number): string;
  /** The offset of today (0), of the last working day before it (1), of the one before that (2), and so on. */
  workday(count: number): number;
}

/** A calendar around an instant. */
export function createCalendar(now: Date): Calendar {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return {
    day: (offset) => new Date(midnight + offset * DAY).toISOString().slice(0, 10),
    at: (offset, hour, minute) => {
      const instant = midnight + offset * DAY + (hour * 60 + minute) * 60_000;
      return new Date(Math.min(instant, now.getTime())).toISOString();
    },
    workday: (count) => {
      let offset = 0;
      for (let left = count; left > 0;) {
        offset -= 1;
        if (new Date(midnight + offset * DAY).getUTCDay() % 6 !== 0) left -= 1;
      }
      return offset;
    },
  };
}

import { useMemo } from 'react';
import { formatHours } from '../../src/engine/formats/numbers';
import { itemAt } from '../../src/engine/values/lookups';
import { BarChart } from '../../src/app/charts/BarChart';
import type { ChartData } from '../../src/app/charts/chartData';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Figure } from '../../src/app/charts/Figure';
import type { TimesheetMonth } from './timesheetApi';
import { formatDecimalHours } from './hours';
import { daysOfMonth, monthLabel } from './months';
import * as styles from './timesheet.module.css';

interface HoursGraphProps {
  sheet?: TimesheetMonth;
  month: string;
  /** The current filters; the figure links to the list of the same logs. */
  filters: Readonly<Record<string, unknown>>;
  includesEveryone: boolean;
  openDay: (day: string) => void;
}

const colour = '#f5bc00';

/** The hours of each day of a month as bars; a bar opens its day. */
export function HoursGraph({ sheet, month, filters, includesEveryone, openDay }: HoursGraphProps) {
  const { actor } = useDefinitions();
  const days = useMemo(() => daysOfMonth(month), [month]);
  const data = useMemo(() => sheet && toChartData(sheet, days), [days, sheet]);
  return (
    <Figure
      title="Total Hours by day"
      note={sheet && `Month total ${formatHours(sheet.total)}`}
      head="Day"
      data={data}
      list={{
        to: `/time-logs?${listQuery(filters, days, includesEveryone ? undefined : actor.id)}`,
        label: 'Open the Time Logs list',
      }}
      legend={false}
      format={formatDecimalHours}
      empty={`No time was logged in ${monthLabel(month)}.`}
      className={styles.timesheetGraph}
    >
      {data && (
        <BarChart
          data={data}
          label={`Total Hours by day, ${monthLabel(month)}`}
          step={1}
          axisTitle={monthLabel(month)}
          format={formatDecimalHours}
          onPick={({ label }) => openDay(itemAt(days, label))}
        />
      )}
    </Figure>
  );
}

function toChartData(sheet: TimesheetMonth, days: readonly string[]): ChartData {
  const totals = new Map(sheet.days.map(({ date, total }) => [date, total]));
  return {
    labels: days.map((day) => String(Number(day.slice(8)))),
    series: [{ key: 'hours', label: 'Total Hours', values: days.map((day) => totals.get(day) ?? 0), colour }],
  };
}

/** The query of the list of the same logs. */
function listQuery(
  filters: Readonly<Record<string, unknown>>,
  days: readonly string[],
  user: number | undefined,
): string {
  const parameters = {
    ...(user !== undefined && { user_id: user }),
    ...filters,
    date_from: days[0],
    date_to: days.at(-1),
  };
  return new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString();
}

import { Level } from '../../src/engine/definitions/level';
import { formatNumber } from '../../src/engine/formats/numbers';
import { percentOf } from '../../src/engine/formats/shares';
import { firstOf, itemAt } from '../../src/engine/values/lookups';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { BarChart } from '../../src/app/charts/BarChart';
import type { ChartData } from '../../src/app/charts/chartData';
import { Doughnut } from '../../src/app/charts/Doughnut';
import { Figure } from '../../src/app/charts/Figure';
import { PartsList } from '../../src/app/charts/PartsList';
import { Analytics } from './Analytics';
import { withColours, filteredListUrl, dayFromToday, useRingHeight } from './figures';
import * as styles from './analytics.module.css';

/** Waiting, with developers, with testers, in production, closed, stopped. */
const stateColours = ['control', '#1b568f', 'accent-line', '#8cc4ff', 'low', 't2'] as const;
const resultColours = ['#276db6', '#4ca4ff'] as const;
const closedStatus = 5;
const tiles = ['Total', 'Open', 'Closed', 'Passed', 'Failed', 'Recently Updated'];

/** The list's tab with the records that a tile counts; `all` for tiles that are not here. */
const tileTabs: Readonly<Record<string, string>> = { open: 'open', closed: 'closed' };

/** The list filters that each tile links to. */
const tileFilters: Readonly<Record<string, (me: number) => Record<string, unknown>>> = {
  total: () => ({}),
  open: () => ({}),
  closed: () => ({}),
  passed: () => ({ result_id: 1 }),
  failed: () => ({ result_id: 2 }),
  recently_updated: () => ({ updated_at_from: dayFromToday(-6) }),
  assigned_to_me: (me) => ({ assigned_to: me }),
};

/** Test cases by result and priority, and by status. */
export default function TestCaseAnalytics() {
  const { actor } = useDefinitions();
  const height = useRingHeight();
  return (
    <Analytics
      title="Test Case Analytics"
      resource="test-cases"
      endpoint="test-case-analytics"
      dependsOn={['test-cases']}
      tileLabels={[...tiles, ...(actor.level > Level.Manager ? ['Assigned to me'] : [])]}
      tile={(key, state, definition) => ({
        ...(key === 'passed' && { tone: 'good' as const }),
        ...(key === 'failed' && { tone: 'bad' as const }),
        ...(tileFilters[key] && {
          to: filteredListUrl(definition, state, tileFilters[key](actor.id), tileTabs[key] ?? 'all'),
        }),
      })}
      charts={(figures, state, definition) => {
        const results = withColours(figures?.charts.test_cases, resultColours);
        const states = withColours(figures?.charts.test_case_distribution, stateColours);
        return (
          <div className={styles.analyticsPair}>
            <Figure
              title="Test Cases"
              note="result by priority, share of those run"
              head="Priority"
              opensNumbers
              data={results}
              list={{ to: filteredListUrl(definition, state, {}, 'all'), label: 'Open the Test Cases list' }}
              empty="No test case was run yet."
            >
              {results && (
                <BarChart
                  data={toPercentages(results)}
                  label="Test Cases, passed and failed by priority in percent"
                  stacked
                  horizontal
                  hidesAxis
                  max={100}
                  format={(share) => `${share.toFixed(1)}%`}
                  notes={barNotes(results)}
                />
              )}
            </Figure>
            <Figure
              title="Test Case Distribution"
              note="by status"
              head="Status"
              data={states}
              legend={false}
              footer={
                states && (
                  <PartsList
                    data={states}
                    urlOf={(index) =>
                      filteredListUrl(
                        definition,
                        state,
                        index + 1 === closedStatus ? {} : { status_id: index + 1 },
                        index + 1 === closedStatus ? 'closed' : undefined,
                      )
                    }
                  />
                )
              }
            >
              {states && <Doughnut data={states} label="Test Case Distribution" height={height} word="test cases" />}
            </Figure>
          </div>
        );
      }}
    />
  );
}

/** `14 passed, 9 failed` at the end of a bar, and the share of the first series inside it. */
function barNotes(data: ChartData) {
  const totals = totalsOf(data);
  return data.labels.map((_, index) => ({
    end: data.series
      .map(({ label, values }) => `${formatNumber(itemAt(values, index))} ${label.toLowerCase()}`)
      .join(', '),
    barText: `${percentOf(itemAt(firstOf(data.series).values, index), itemAt(totals, index)) ?? 0}%`,
  }));
}

const totalsOf = ({ labels, series }: ChartData): readonly number[] =>
  labels.map((_, index) => series.reduce((sum, { values }) => sum + itemAt(values, index), 0));

/** The values as a percentage of the total of their label. */
function toPercentages(data: ChartData): ChartData {
  const totals = totalsOf(data);
  const share = (value: number, index: number) => percentOf(value, itemAt(totals, index), 1) ?? 0;
  return { ...data, series: data.series.map((entry) => ({ ...entry, values: entry.values.map(share) })) };
}

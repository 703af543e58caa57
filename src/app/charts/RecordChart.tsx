import type { ReactNode } from 'react';
import { useNavigate, type To } from 'react-router-dom';
import type { Chart, Definition, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { shortDay } from '../../engine/formats/dates';
import { formatNumber } from '../../engine/formats/numbers';
import {
  chartFigures,
  chartFilters,
  chartQuery,
  type ChartEntry,
  type ChartFigures,
  type CountedGroup,
} from '../../engine/lists/charts';
import { formatListState, withFilters, type ListState } from '../../engine/lists/list-state';
import { fieldOf } from '../../engine/definitions/accessors';
import { itemAt, requireValue } from '../../engine/values/lookups';
import { useDefinitions } from '../data/DefinitionsContext';
import { localToday } from '../data/localTime';
import { BarChart } from './BarChart';
import type { ChartData, ChartPosition, Colour } from './chartData';
import { Doughnut } from './Doughnut';
import { Figure } from './Figure';
import { LineChart } from './LineChart';
import { NumberFigure } from './NumberFigure';
import { PartsList } from './PartsList';
import { useFigures } from './useFigures';

interface RecordChartProps {
  definition: Definition;
  chart: Chart;
  /** Only these records: as in the list's call. */
  filter?: Readonly<ResourceRecord>;
  /** The list that figures link to. */
  state: ListState;
  className?: string;
  /** Shown at the end of the header. */
  actions?: ReactNode;
}

/** As many labels as a chart has space for; all of them are in its table of numbers. */
const mostDrawn = { bar: 12, line: 400, doughnut: 8 } as const;
const ringHeight = 150;

/** A chart of a definition, counted by the server among the records that the user may list. */
export function RecordChart({ definition, chart, filter, state, className, actions }: RecordChartProps) {
  const { registry } = useDefinitions();
  const navigate = useNavigate();
  const path = `/${definition.name}/aggregate?${new URLSearchParams(chartQuery(chart, filter)).toString()}`;
  const { data: groups, isError } = useFigures<readonly CountedGroup[]>(path, [definition.name]);
  const format = formatOf(definition, chart);
  const figureProps = { title: chart.label, className, actions };
  const list = { to: listPath(definition, state, {}), label: `Open the ${definition.labels.many} list` };
  if (isError && !groups) return <NumberFigure {...figureProps} problem="This chart could not be loaded." />;
  const figures = groups && chartFigures(definition, chart, groups, registry);
  if (chart.kind === 'number') {
    const value = figures?.series[0]?.values[0];
    const target = chart.where ? undefined : list.to;
    return <NumberFigure {...figureProps} value={value === undefined ? undefined : format(value)} target={target} />;
  }
  const fullChart = figures && withColours(figures, chart);
  const drawnCount = mostDrawn[chart.kind];
  const data = fullChart && firstLabels(fullChart, drawnCount);
  const linkOf = (position: ChartPosition): To | undefined => {
    const label = figures?.labels[position.label];
    const filters = label && chartFilters(definition, chart, label, figures.series[position.series]);
    return filters && listPath(definition, state, filters);
  };
  const pick = (position: ChartPosition) => {
    const target = linkOf(position);
    if (target !== undefined) void navigate(target);
  };
  const isPart = chart.kind === 'doughnut';
  const noTotals = chart.take !== 'count' && chart.take.of === 'avg';
  return (
    <Figure
      {...figureProps}
      {...{ data: fullChart, format, list, noTotals, drawnCount }}
      head={fieldOf(definition, requireValue(chart.group, `the group of the chart ${chart.label}`)).label}
      note={noteOf(definition, chart)}
      urlOf={linkOf}
      legend={chart.series !== undefined}
      empty={`No ${definition.labels.many.toLowerCase()} to show.`}
      footer={
        isPart && data && <PartsList data={data} format={format} urlOf={(label) => linkOf({ label, series: 0 })} />
      }
    >
      {data && chart.kind === 'bar' && (
        <BarChart
          isSmall
          {...{ data, format }}
          onPick={pick}
          label={chart.label}
          stacked={chart.series !== undefined}
        />
      )}
      {data && chart.kind === 'line' && <LineChart {...{ data, format }} label={chart.label} />}
      {data && isPart && (
        <Doughnut
          {...{ data, format }}
          label={chart.label}
          height={ringHeight}
          word={wordOf(definition, chart)}
          onPick={(label) => pick({ label, series: 0 })}
        />
      )}
    </Figure>
  );
}

/** The unit of the values, where they are no counts. */
function noteOf({ fields }: Definition, { take }: Chart): string | undefined {
  if (take === 'count') return undefined;
  return `${take.of === 'sum' ? 'sum of' : 'average'} ${fieldOf({ fields }, take.field).label.toLowerCase()}`;
}

const wordOf = ({ fields, labels }: Definition, { take }: Chart) =>
  (take === 'count' ? labels.many : fieldOf({ fields }, take.field).label).toLowerCase();

function formatOf({ fields }: Definition, { take }: Chart): (value: number) => string {
  const field = take === 'count' ? undefined : fields[take.field];
  // Averages have more digits than the field's own values, but for minutes.
  const isAverage = take !== 'count' && take.of === 'avg';
  if (!field || (isAverage && fieldTypeOf(field).holds === 'number' && !field.isMinutes)) return formatNumber;
  return (value) => fieldTypeOf(field).toText(Math.round(value * 100) / 100, field) || '0';
}

function listPath(definition: Definition, state: ListState, filters: ResourceRecord): string {
  const entries = formatListState({ ...withFilters(state, filters), sort: definition.list.sort }, definition);
  return `/${definition.name}?${new URLSearchParams(entries).toString()}`;
}

/** The colours of what has no tone of its own. */
const palette: readonly Colour[] = ['accent-line', 'teal', 'violet', 'high', 'low', 'medium', 'urgent', 'blue-3'];
const ofTone = (tone: string): Colour => (tone === 'neutral' ? 'control' : tone === 'info' ? 'accent-line' : tone);

/** A colour for each entry: that of its tone, once; the others get one that none has, as long as there is one. */
function coloursOf(entries: readonly ChartEntry[]): Colour[] {
  const reservedColours = new Set(entries.flatMap(({ tone }) => (tone ? [ofTone(tone)] : [])));
  const usedColours = new Set<Colour>();
  return entries.map(({ tone }, index) => {
    const ownColour = tone && ofTone(tone);
    const free =
      ownColour && !usedColours.has(ownColour)
        ? ownColour
        : palette.find((candidate) => !usedColours.has(candidate) && !reservedColours.has(candidate));
    const colour = free ?? itemAt(palette, index % palette.length);
    usedColours.add(colour);
    return colour;
  });
}

/** With several series a colour for each; otherwise one for each part of a ring, and for labels that have a tone. */
function withColours({ labels, series }: ChartFigures, { series: seriesField, kind, step }: Chart): ChartData {
  const isToned = labels.some(({ value, tone }) => tone !== undefined && value !== null);
  const perLabel = kind === 'doughnut' || (kind === 'bar' && isToned);
  const colours = coloursOf(seriesField === undefined ? labels : series);
  return {
    labels: labels.map(({ label }) => label),
    ...((step === 'day' || step === 'week') && { ticks: ticksOf(labels) }),
    series: series.map(({ label, values, value }, index) => ({
      key: String(value ?? 'none'),
      label,
      values,
      colour: seriesField !== undefined ? itemAt(colours, index) : perLabel ? colours : 'accent-line',
    })),
  };
}

/** The days of periods, short enough for an axis. */
function ticksOf(labels: readonly ChartEntry[]): string[] {
  const today = localToday();
  return labels.map(({ value, label }) => (typeof value === 'string' ? shortDay(value, today) : label));
}

function firstLabels({ labels, ticks, series }: ChartData, maxLabels: number): ChartData {
  if (labels.length <= maxLabels) return { labels, ticks, series };
  return {
    labels: labels.slice(0, maxLabels),
    ticks: ticks?.slice(0, maxLabels),
    series: series.map((entry) => ({ ...entry, values: entry.values.slice(0, maxLabels) })),
  };
}

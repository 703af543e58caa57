import Box from '@mui/material/Box';
import { useCallback, useId, useMemo, useState, type RefCallback } from 'react';
import type { GraphLink, RelationGraph } from '../../../engine/studio/relation-graph';
import { getOrThrow, requireValue } from '../../../engine/values/lookups';
import { Icon } from '../../icons/Icon';
import * as styles from './relations.module.css';

interface RelationPictureProps {
  graph: RelationGraph;
  /** The modules from left to right, and in each column from top to bottom. */
  layers: readonly (readonly string[])[];
  /** The module in the middle; empty: all modules. */
  centre: string;
  onChoose: (name: string) => void;
}

/** The size of a module's box and the distances between boxes, in pixels. */
const [width, height, columnGap, rowGap, margin] = [176, 40, 88, 12, 16];

/** A picture of modules as boxes with an arrow for each link. A box is a button that puts its module into the middle, and opens the one that is there. */
export function RelationPicture({ graph, layers, centre, onChoose }: RelationPictureProps) {
  const id = useId();
  /** The module that is pointed at or has the focus: its links stand out. */
  const [active, setActive] = useState('');
  const [frame, frameSize] = useInnerSize();
  const columns = useMemo(
    () => (frameSize && centre === '' ? joinColumns(layers, frameSize) : layers),
    [layers, frameSize, centre],
  );
  const size = sizeOf(columns);
  const scale = frameSize ? Math.max(scaleIn(frameSize, size), smallestScale) : 1;
  const boxes = useMemo(() => placesOf(columns), [columns]);
  const neighbours = useMemo(() => {
    const names = graph.links.flatMap(({ from: source, to: target }) =>
      source === active ? [target] : target === active ? [source] : [],
    );
    return new Set([active, ...names]);
  }, [graph, active]);
  const labels = new Map(graph.modules.map(({ name, label }) => [name, label]));
  const links = graph.links.filter(({ from: source, to: target }) => source !== target);
  return (
    <div className={styles.relationCanvas} role="region" aria-label="Picture of relations" tabIndex={0} ref={frame}>
      <Box
        sx={{ position: 'relative', mx: 'auto' }}
        style={{ ...size, zoom: scale }}
        data-active={active !== '' || undefined}
      >
        <svg {...size} aria-hidden="true">
          <defs>
            <marker
              id={id}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {links.map((link) => (
            <path
              key={`${link.from} ${link.to}`}
              d={linePath(boxes, link)}
              markerEnd={`url(#${id})`}
              data-on={link.from === active || link.to === active || undefined}
            />
          ))}
        </svg>
        {columns.flat().map((name) => {
          const { icon } = requireValue(
            graph.modules.find((module) => module.name === name),
            `module ${name}`,
          );
          const { x, y } = getOrThrow(boxes, name);
          return (
            <button
              key={name}
              type="button"
              className={styles.relationModule}
              style={{ left: x, top: y, width, height }}
              aria-current={name === centre || undefined}
              aria-label={`${describeModule(graph.links, labels, name)}${name === centre ? '; opens its definition' : ''}`}
              data-near={neighbours.has(name) || undefined}
              title={name === centre ? 'Open definition' : linkTitle(graph.links, name, centre)}
              onClick={() => onChoose(name)}
              onFocus={() => setActive(name)}
              onBlur={() => setActive('')}
              onMouseEnter={() => setActive(name)}
              onMouseLeave={() => setActive('')}
            >
              <Icon name={icon ?? 'database'} />
              <span>
                {labels.get(name)}
                {centre && <small>{linkTitle(graph.links, name, centre)}</small>}
              </span>
            </button>
          );
        })}
      </Box>
    </div>
  );
}

/** The width of the arcs between boxes of the last column. */
const arcWidth = 40;

/** The smallest scale at which names can be read; a larger picture scrolls. */
const smallestScale = 0.6;

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(columns: readonly (readonly string[])[]): Size {
  const tallest = Math.max(...columns.map((names) => names.length));
  return {
    width: columns.length * (width + columnGap) - columnGap + 2 * margin + arcWidth,
    height: tallest * (height + rowGap) - rowGap + 2 * margin,
  };
}

/** The scale, at most 1, at which a picture fits a frame. */
const scaleIn = (frame: Size, size: Size) => Math.min(frame.width / size.width, frame.height / size.height, 1);

/** Joins neighbouring columns, the shortest first, for as long as the picture can be drawn larger so. */
function joinColumns(columns: readonly (readonly string[])[], frame: Size): readonly (readonly string[])[] {
  const lengths = columns.slice(1).map((names, index) => names.length + columns[index]!.length);
  const shortest = lengths.indexOf(Math.min(...lengths));
  if (shortest < 0) return columns;
  const joinedColumns = columns.flatMap((names, index) =>
    index === shortest ? [[...names, ...columns[index + 1]!]] : index === shortest + 1 ? [] : [names],
  );
  const isLarger = scaleIn(frame, sizeOf(joinedColumns)) > scaleIn(frame, sizeOf(columns));
  return isLarger ? joinColumns(joinedColumns, frame) : columns;
}

/** A ref for an element, and the size of what it can show; undefined until it is measured. */
function useInnerSize(): [RefCallback<HTMLElement>, Size | undefined] {
  const [size, setSize] = useState<Size>();
  const measure = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measure, size];
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly column: number;
}

/** The upper left corner of each box; columns are centred. */
function placesOf(columns: readonly (readonly string[])[]): Map<string, Place> {
  const tallest = Math.max(...columns.map((names) => names.length));
  return new Map(
    columns.flatMap((names, column) =>
      names.map((name, index): [string, Place] => {
        const top = ((tallest - names.length) * (height + rowGap)) / 2;
        return [
          name,
          { column, x: margin + column * (width + columnGap), y: margin + top + index * (height + rowGap) },
        ];
      }),
    ),
  );
}

/** A curve from the side of one box to the side of the other. */
function linePath(boxes: ReadonlyMap<string, Place>, { from: source, to: target }: GraphLink): string {
  const [a, b] = [getOrThrow(boxes, source), getOrThrow(boxes, target)];
  const [startY, endY] = [a.y + height / 2, b.y + height / 2];
  if (a.column === b.column) {
    const x = a.x + width;
    return `M${x} ${startY}C${x + 48} ${startY} ${x + 48} ${endY} ${x} ${endY}`;
  }
  const right = a.column < b.column;
  const [ax, bx] = right ? [a.x + width, b.x] : [a.x, b.x + width];
  const bend = (bx - ax) / 2;
  return `M${ax} ${startY}C${ax + bend} ${startY} ${bx - bend} ${endY} ${bx} ${endY}`;
}

/** The fields that connect a module with the one in the middle: `Project`, `Manager, Team`. */
function linkTitle(links: readonly GraphLink[], name: string, centre: string): string | undefined {
  const ownLinks = links.filter(
    ({ from: source, to: target }) => (source === name && target === centre) || (source === centre && target === name),
  );
  return ownLinks.flatMap(({ fields }) => fields).join(', ') || undefined;
}

/** The label of a box for screen readers: `Tasks, points to Projects and Users, is pointed to by Time logs`. */
function describeModule(links: readonly GraphLink[], labels: ReadonlyMap<string, string>, name: string): string {
  const list = (names: string[]) =>
    names.map((moduleName) => (moduleName === name ? 'itself' : labels.get(moduleName))).join(', ');
  const targets = list(links.filter(({ from: source }) => source === name).map((link) => link.to));
  const sources = list(links.filter((link) => link.to === name && link.from !== name).map((link) => link.from));
  return [labels.get(name), targets && `points to ${targets}`, sources && `is pointed to by ${sources}`]
    .filter(Boolean)
    .join('; ');
}

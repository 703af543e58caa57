import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import type { Tile } from '../../../engine/pages/tiles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { lazyComponent } from '../../states/lazyComponent';
import { ListTile, type TileProps } from './ListTile';
import { MentionsTile } from './MentionsTile';
import { TileFrame } from './TileFrame';
import { tileName, type PageChanges } from './usePageChanges';
import * as styles from './pages.module.css';
import { NumberFigure } from '../../charts/NumberFigure';
import { formatTotal } from '../../../engine/formats/numbers';
import { useTotal } from '../../list/useTotal';
import { useTileFilter } from './useTileFilter';

const ChartTile = lazyComponent(() => import('./ChartTile').then((module) => ({ default: module.ChartTile })));

interface TileCardProps {
  tile: Tile;
  /** Its place among all tiles of the page, from 0. */
  index: number;
  count: number;
  /** Undefined: it is only shown. */
  changes: PageChanges | undefined;
}

const dragType = 'application/x-assay-tile';

/** A tile with its tools: it is moved by dragging, or with the arrow keys or the menu of its handle. */
export function TileCard({ tile, index, count, changes }: TileCardProps) {
  const [isTarget, setTarget] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = tileName(tile, useDefinitions().registry);
  const handle = useRef<HTMLButtonElement>(null);
  const hasMoved = useRef(false);
  // An element that changes its place loses the focus.
  useEffect(() => {
    if (hasMoved.current) handle.current?.focus();
    hasMoved.current = false;
  }, [index]);
  const moveTo = (newIndex: number) => {
    hasMoved.current = true;
    changes?.move(tile.id, newIndex);
  };
  const moves = [
    { icon: 'arrow-up', label: 'Move one place up', to: index - 1 },
    { icon: 'arrow-down', label: 'Move one place down', to: index + 1 },
    { icon: 'chevron-up', label: 'Move to the start', to: 0 },
    { icon: 'chevron-down', label: 'Move to the end', to: count - 1 },
  ].filter(
    ({ to: newIndex }, position, allMoves) =>
      newIndex >= 0 &&
      newIndex < count &&
      newIndex !== index &&
      allMoves.findIndex((candidate) => candidate.to === newIndex) === position,
  );
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The next remaining tile gets the focus.
    const card = currentTarget.closest('li');
    const next = card?.nextElementSibling ?? card?.previousElementSibling;
    next?.querySelector<HTMLElement>('[data-tile-handle]')?.focus();
    changes?.remove(tile);
  };
  const tools = changes && (
    <>
      <IconButton
        ref={handle}
        size="small"
        className={styles.tileHandle}
        draggable
        aria-label={`Move ${name}`}
        title="Drag, or use the arrow keys"
        aria-haspopup="menu"
        data-tile-handle={tile.id}
        onClick={(event) => setAnchor(event.currentTarget)}
        onDragStart={({ dataTransfer }) => {
          dataTransfer.setData(dragType, tile.id);
          dataTransfer.effectAllowed = 'move';
        }}
        onKeyDown={(event) => {
          const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
          if (steps === undefined) return;
          event.preventDefault();
          if (index + steps < 0 || index + steps >= count) return;
          moveTo(index + steps);
        }}
      >
        <Icon name="grip" />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {moves.map(({ icon, label, to: newIndex }) => (
          <MenuItem
            key={label}
            onClick={() => {
              setAnchor(null);
              moveTo(newIndex);
            }}
          >
            <Icon name={icon} />
            {label}
          </MenuItem>
        ))}
      </Menu>
      <IconButton
        size="small"
        className={styles.tileWidth}
        aria-pressed={tile.wide === true}
        aria-label={`${name} is two columns wide`}
        title={tile.wide ? 'One column' : 'Two columns'}
        onClick={() => changes.setWide(tile, !tile.wide)}
      >
        <Icon name="columns" />
      </IconButton>
      <IconButton size="small" aria-label={`Remove ${name}`} title="Remove" onClick={remove}>
        <Icon name="x" />
      </IconButton>
    </>
  );
  return (
    <li
      className={styles.pageTile}
      data-wide={tile.wide || undefined}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        if (!changes || !event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        const id = event.dataTransfer.getData(dragType);
        if (!changes || id === '' || id === tile.id) return;
        event.preventDefault();
        changes.move(id, index);
      }}
    >
      <TileContent tile={tile} tools={tools} />
    </li>
  );
}

interface TileContentProps {
  tile: Tile;
  tools: ReactNode;
}

function TileContent({ tile, tools }: TileContentProps) {
  const { registry } = useDefinitions();
  if (tile.kind === 'mentions') return <MentionsTile {...{ tile, tools }} />;
  const definition = registry.get(tile.module ?? '');
  if (tile.kind === 'hidden' || !definition)
    return (
      <TileFrame title="Not available to you" tools={tools}>
        <p className={styles.tileNote}>This tile is about something that you may not open.</p>
      </TileFrame>
    );
  if (tile.kind === 'chart') return <ChartTile {...{ tile, definition, tools }} />;
  if (tile.kind === 'number') return <NumberTile {...{ tile, definition, tools }} />;
  return <ListTile {...{ tile, definition, tools }} />;
}

/** How many records there are, which leads to their list. */
function NumberTile({ tile, definition, tools }: TileProps) {
  const { filter, listPath, problem } = useTileFilter(tile, definition);
  const total = useTotal(definition.name, filter ?? {}, filter !== undefined);
  return (
    <NumberFigure
      title={tile.title || definition.labels.many}
      value={total === undefined ? undefined : formatTotal(total)}
      {...{ target: listPath, problem }}
      actions={tools}
    />
  );
}

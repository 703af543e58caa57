import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId, useState, type ReactNode } from 'react';
import { isGranted } from '../../../engine/access/access-decision';
import type { Definition } from '../../../engine/definitions/definition';
import { chartsFor } from '../../../engine/lists/charts';
import { readableColumns } from '../../../engine/lists/columns';
import type { Tile } from '../../../engine/pages/tiles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useSavedViews } from '../../list/saved-views/useSavedViews';
import * as styles from './pages.module.css';

interface TileDialogProps {
  onAdd: (tile: Omit<Tile, 'id'>) => void;
  onClose: () => void;
}

const kinds = [
  { value: 'list', label: 'List: the first records of a module' },
  { value: 'number', label: 'Number: how many records there are' },
  { value: 'chart', label: 'Chart' },
  { value: 'mentions', label: 'Comments that mention me' },
] as const;
type Kind = (typeof kinds)[number]['value'];

const mostColumns = 6;

/** Asks what a new tile shows: which list, with which view and columns, or which chart. */
export function TileDialog({ onAdd, onClose }: TileDialogProps) {
  const { registry, actor } = useDefinitions();
  const titleId = useId();
  const [kind, setKind] = useState<Kind>('list');
  const [name, setName] = useState('');
  const [title, setTitle] = useState('');
  const modules = [...registry.definitions.values()]
    .filter(
      (module) => isGranted(actor, module.name, 'list') && (module.menu !== null || module.list.charts.length > 0),
    )
    .filter((module) => kind !== 'chart' || chartsFor(module, actor).length > 0)
    .sort((first, second) => first.labels.many.localeCompare(second.labels.many));
  const definition = modules.find((module) => module.name === name);
  const [options, setOptions] = useState<Pick<Tile, 'view' | 'chart' | 'columns' | 'limit'>>({});
  const choose = (next: string) => {
    setName(next);
    setOptions({});
  };
  const isComplete = kind === 'mentions' || (definition && (kind !== 'chart' || options.chart !== undefined));
  const submit = () => {
    const { view, chart, columns, limit } = options;
    onAdd({
      kind,
      ...(title.trim() && { title: title.trim() }),
      ...(kind !== 'mentions' && { module: name }),
      ...(kind === 'chart' && { chart }),
      ...((kind === 'list' || kind === 'number') && view !== undefined && { view }),
      ...(kind === 'list' && columns && columns.length > 0 && { columns }),
      ...((kind === 'list' || kind === 'mentions') && limit !== undefined && { limit }),
    });
  };
  return (
    <Dialog open aria-labelledby={titleId} onClose={onClose} slotProps={{ paper: { sx: { width: 480 } } }}>
      <DialogTitle id={titleId} component="h2">
        Add tile
      </DialogTitle>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) submit();
        }}
      >
        <DialogContent className={styles.tileForm}>
          <Labelled label="What">
            {(id) => (
              <select id={id} autoFocus value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
                {kinds.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
          {kind !== 'mentions' && (
            <Labelled label="Of which module">
              {(id) => (
                <select id={id} value={definition ? name : ''} onChange={({ target }) => choose(target.value)}>
                  <option value="">Choose…</option>
                  {modules.map((module) => (
                    <option key={module.name} value={module.name}>
                      {module.labels.many}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
          )}
          {definition && kind !== 'mentions' && (
            <ModuleOptions key={name} {...{ kind, definition, options }} onChange={setOptions} />
          )}
          {(kind === 'list' || kind === 'mentions') && (
            <Labelled label="Rows">
              {(id) => (
                <input
                  id={id}
                  type="number"
                  min={1}
                  max={20}
                  placeholder="8"
                  value={options.limit ?? ''}
                  onChange={({ target }) =>
                    setOptions({ ...options, limit: target.value === '' ? undefined : Number(target.value) })
                  }
                />
              )}
            </Labelled>
          )}
          <Labelled label="Title">
            {(id) => (
              <input
                id={id}
                maxLength={60}
                placeholder={definition?.labels.many ?? ''}
                value={title}
                onChange={({ target }) => setTitle(target.value)}
              />
            )}
          </Labelled>
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" disabled={!isComplete}>
            Add tile
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

type Options = Pick<Tile, 'view' | 'chart' | 'columns' | 'limit'>;

interface ModuleOptionsProps {
  kind: Kind;
  definition: Definition;
  options: Options;
  onChange: (options: Options) => void;
}

/** Which chart of a module; or which of its views, and which columns. */
function ModuleOptions({ kind, definition, options, onChange }: ModuleOptionsProps) {
  const { actor } = useDefinitions();
  const { views = [] } = useSavedViews(definition);
  if (kind === 'chart')
    return (
      <Labelled label="Chart">
        {(id) => (
          <select
            id={id}
            value={options.chart ?? ''}
            onChange={({ target }) => onChange({ ...options, chart: target.value || undefined })}
          >
            <option value="">Choose…</option>
            {chartsFor(definition, actor).map((chart) => (
              <option key={chart.name} value={chart.name}>
                {chart.label}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    );
  const columns = options.columns ?? [];
  const toggle = (name: string) =>
    columns.includes(name) ? columns.filter((column) => column !== name) : [...columns, name].slice(0, mostColumns);
  return (
    <>
      <Labelled label="Records">
        {(id) => (
          <select
            id={id}
            value={options.view ?? ''}
            onChange={({ target }) =>
              onChange({ ...options, view: target.value === '' ? undefined : Number(target.value) })
            }
          >
            <option value="">All</option>
            {views.map((view) => (
              <option key={view.id} value={view.id}>
                Of the view {view.name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {kind === 'list' && (
        <fieldset className={styles.tileColumns}>
          <legend>Columns, at most {mostColumns}</legend>
          {readableColumns(definition, actor).map(({ field, label }) => (
            <Stack component="label" direction="row" sx={{ alignItems: 'center', gap: 2, fontSize: 13 }} key={field}>
              <Box
                component="input"
                sx={{ width: 16, height: 16, m: 0, accentColor: 'var(--accent)' }}
                type="checkbox"
                checked={columns.includes(field)}
                disabled={!columns.includes(field) && columns.length >= mostColumns}
                onChange={() => onChange({ ...options, columns: toggle(field) })}
              />
              {label}
            </Stack>
          ))}
        </fieldset>
      )}
    </>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={styles.tileField}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

import Autocomplete from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import type { PopperProps } from '@mui/material/Popper';
import { useEffect, useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { readableColumns } from '../../../engine/lists/columns';
import { columnFilters, type FilterInput } from '../../../engine/lists/filter-inputs';
import { isValueChosen, toggleValue, withoutOrphans } from '../../../engine/lists/quick-filter';
import { withFilters } from '../../../engine/lists/list-state';
import { formatNumber } from '../../../engine/formats/numbers';
import { RecordChip, ToneChip } from '../../chips/RecordChip';
import { useDefinitions } from '../../data/DefinitionsContext';
import { asRecord } from '../../fields/choices/useChoiceTitles';
import { useTypedChoice } from '../../fields/choices/useTypedChoice';
import { Icon } from '../../icons/Icon';
import { BoxMark } from '../../theme/marks';
import { useResourceList } from '../ResourceList';
import { filtersButtonId } from '../useListCommands';
import { FilterField } from './FilterField';
import { fieldLines, isListedKind, useValueLines, type FilterLine } from './filterLines';
import * as styles from './quick-filter.module.css';

interface QuickFilterProps {
  /** The filter whose values are shown first; otherwise all filters are. */
  first?: FilterInput;
  /** The popover opens below it. */
  anchor: HTMLElement;
  onClose: () => void;
}

/** Filters a list at once, by the values of one field after the other: typed for, and checked with their counts. */
export function QuickFilter({ first, anchor, onClose }: QuickFilterProps) {
  // The button may move, or be gone, once the list is filtered.
  const [anchorBox] = useState(() => anchor.getBoundingClientRect());
  const { state } = useResourceList();
  const inputs = useAllInputs();
  // By its key from a cell, it opens at the filter of its column.
  const [input, setInput] = useState(() => first ?? inputs.find(({ name }) => name === focusedColumn()));
  // Where a filter was given up, the chip that has the focus otherwise is gone. The button may be gone with the whole list.
  const [filtersButton] = useState(() => filtersButtonBeside(anchor));
  useEffect(
    () => () => {
      if (!anchor.isConnected) setTimeout(() => filtersButton?.focus());
    },
    [anchor, filtersButton],
  );
  const typedFilter = input && !isListedKind(input) && (
    <TypedFilter
      key={JSON.stringify(input.keys.map((key) => state.filters[key]))}
      input={input}
      autoFocus={input.kind !== 'date'}
      onApplied={onClose}
    />
  );
  return (
    <Popover
      open
      anchorReference="anchorPosition"
      anchorPosition={{ top: anchorBox.bottom + 4, left: anchorBox.left }}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': input ? `Filter ${input.label}` : 'Quick filter',
          className: styles.panel,
        },
      }}
    >
      {(!typedFilter || input?.kind === 'date') && (
        <FilterLines key={input?.name} {...{ input, inputs }} onOpen={setInput} onClose={onClose} />
      )}
      {typedFilter}
    </Popover>
  );
}

/** The filters of the list, and those of its columns that are not among them. */
function useAllInputs(): readonly FilterInput[] {
  const { registry, actor } = useDefinitions();
  const { definition, inputs } = useResourceList();
  return useMemo(() => {
    const ofColumns = columnFilters(definition, registry, actor, readableColumns(definition, actor), null);
    const knownKeys = new Set(inputs.flatMap(({ keys }) => keys));
    return [...inputs, ...[...ofColumns.values()].filter(({ keys }) => !keys.some((key) => knownKeys.has(key)))];
  }, [actor, definition, inputs, registry]);
}

/** The button of the list around an element: there may be another list beneath. */
function filtersButtonBeside(element: HTMLElement): HTMLElement | undefined {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const button = parent.querySelector<HTMLElement>(`#${filtersButtonId}`);
    if (button) return button;
  }
  return undefined;
}

const focusedColumn = () => document.activeElement?.closest<HTMLElement>('[role=gridcell]')?.dataset.field;

/** Changes the filters of the list; all changes of a visit are one entry of the browser's history. */
function useApply(): (values: ResourceRecord) => void {
  const { change, inputs } = useResourceList();
  const hasChanged = useRef(false);
  return (values) => {
    change((current) => withFilters(current, withoutOrphans(values, current.filters, inputs)), {
      replace: hasChanged.current,
    });
    hasChanged.current = true;
  };
}

interface FilterLinesProps {
  input: FilterInput | undefined;
  inputs: readonly FilterInput[];
  onOpen: (input: FilterInput | undefined) => void;
  onClose: () => void;
}

/** The filters of the list, or the values of one of them, narrowed by what is typed. */
function FilterLines({ input, inputs, onOpen, onClose }: FilterLinesProps) {
  const { state } = useResourceList();
  const apply = useApply();
  const [text, setText] = useState('');
  const hasMoved = useRef(false);
  const { lines: valueLines, isLoading } = useValueLines(input, text);
  const lines = input ? valueLines : fieldLines(inputs, text);
  const chosenLines = lines.filter(
    (line) => line.value !== undefined && isValueChosen(line.input, state.filters, line.value),
  );
  const choose = (line: FilterLine) => {
    if (line.value === undefined) return onOpen(line.input);
    apply(toggleValue(line.input, state.filters, line.value));
  };
  const typedChoice = useTypedChoice({
    text,
    choices: lines,
    loading: isLoading,
    pick: ({ id }) => lines.filter((line) => line.id === id).forEach(choose),
  });
  return (
    <Autocomplete<FilterLine, true, true>
      open
      multiple
      disableClearable
      disableCloseOnSelect
      autoHighlight
      options={lines}
      value={chosenLines}
      inputValue={text}
      filterOptions={(options) => options}
      getOptionKey={({ id }) => id}
      getOptionLabel={({ title }) => title}
      isOptionEqualToValue={(first, second) => first.id === second.id}
      loading={isLoading}
      loadingText="Searching…"
      noOptionsText="Nothing matches."
      onInputChange={(_, typedText, reason) => {
        if (reason !== 'input') return;
        hasMoved.current = false;
        typedChoice.forget();
        setText(typedText);
      }}
      onChange={(_, __, ___, details) => details && choose(details.option)}
      onClose={(_, reason) => {
        if (reason === 'escape') onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') typedChoice.onKeyDown(event);
        if (event.key.startsWith('Arrow')) hasMoved.current = true;
        // Within a text a space is typed.
        const isCheck = event.key === ' ' && (text === '' || hasMoved.current);
        const isBack = event.key === 'Backspace' && text === '';
        if (!isCheck && !isBack) return;
        event.preventDefault();
        event.defaultMuiPrevented = true;
        const activeId = event.currentTarget.querySelector('input')?.getAttribute('aria-activedescendant');
        if (isCheck) document.getElementById(activeId ?? '')?.click();
        if (isBack) onOpen(undefined);
      }}
      renderValue={() => null}
      renderOption={({ key, ...option }, line, { selected: isChosen }) => (
        <li key={key} {...option} className={`${option.className} ${styles.line}`}>
          {line.value !== undefined && <BoxMark state={isChosen ? 'on' : 'off'} />}
          <span className={styles.label}>
            <LineLabel line={line} />
          </span>
          {line.count !== undefined && <small className="num">{formatNumber(line.count)}</small>}
          {line.value === undefined && <Icon name="chevron-right" size={14} />}
        </li>
      )}
      slots={{ popper: InPlace }}
      slotProps={{ paper: { className: styles.lines } }}
      renderInput={({ slotProps, id }) => (
        <div className={styles.find}>
          <OutlinedInput
            id={id}
            ref={slotProps.input.ref}
            autoFocus
            fullWidth
            size="small"
            placeholder={input ? 'Find a value' : 'Filter by'}
            startAdornment={
              <InputAdornment position="start">
                {input ? <span className={styles.name}>{input.label}</span> : <Icon name="search" />}
              </InputAdornment>
            }
            slotProps={{
              input: { ...slotProps.htmlInput, 'aria-label': input ? `Values of ${input.label}` : 'Filter by' },
            }}
          />
        </div>
      )}
    />
  );
}

/** Instead of MUI's popper: the lines lie within the popover. */
function InPlace({ anchorEl: _, open: __, disablePortal: ___, style: ____, children, ...box }: PopperProps) {
  return <div {...(box as ComponentProps<'div'>)}>{children as ReactNode}</div>;
}

function LineLabel({ line: { choice, input, title } }: { line: FilterLine }) {
  const { registry } = useDefinitions();
  if (choice?.tone) return <ToneChip tone={choice.tone}>{title}</ToneChip>;
  const target = choice && registry.get(input.to ?? '');
  return target ? <RecordChip definition={target} record={asRecord(target, choice)} /> : title;
}

interface TypedFilterProps {
  input: FilterInput;
  autoFocus: boolean;
  onApplied: () => void;
}

/** A filter whose value is typed. */
function TypedFilter({ input, autoFocus: hasFocus, onApplied }: TypedFilterProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (hasFocus) form.current?.querySelector('input')?.focus();
  }, [hasFocus]);
  const { definition, state } = useResourceList();
  const apply = useApply();
  const [values, setValues] = useState<Readonly<ResourceRecord>>(state.filters);
  return (
    <form
      ref={form}
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        onApplied();
        apply(Object.fromEntries(input.keys.map((key) => [key, values[key]])));
      }}
    >
      <FilterField
        {...{ definition, input, values }}
        inputs={[]}
        onChange={(next) => setValues((current) => ({ ...current, ...next }))}
      />
      <Button variant="outlined" type="submit">
        Apply
      </Button>
    </form>
  );
}

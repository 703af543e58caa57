import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { formatBytes } from '../../../engine/field-types/files';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import type { CellFormat } from '../../../engine/imports/cell-formats';
import type { MeaningTarget } from '../../../engine/imports/value-meanings';
import type { ImportForm, PreviewResponse } from './api';
import { ColumnFormats } from './ColumnFormats';
import { NotImported } from './NotImported';
import { PreviewTable } from './PreviewTable';
import { ValueMapping } from './ValueMapping';
import * as styles from './imports.module.css';
import { dayInTimeZone, shortMonthNames } from '../../../engine/formats/dates';
import { personal, personalFormatter } from '../../../engine/formats/personal';

const dayOfYear = personalFormatter({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayOfOtherYear = personalFormatter({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The day of an instant in the browser's time zone: `12 Nov`, with the year if it is not the current one. */
function formatDay(instant: string, now = new Date()): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [year, month, day] = dayInTimeZone(zone, new Date(instant)).split('-');
  const [thisYear] = dayInTimeZone(zone, now).split('-');
  if (personal)
    return (year === thisYear ? dayOfYear : dayOfOtherYear)().format(Date.parse(`${year}-${month}-${day}T00:00:00Z`));
  return `${Number(day)} ${shortMonthNames[Number(month) - 1]}${year === thisYear ? '' : ` ${year}`}`;
}

interface ImportPreviewProps {
  definition: Definition;
  file: File;
  preview: PreviewResponse;
  isReading: boolean;
  isImporting: boolean;
  /** Whether it is unknown if the import was started, because no response arrived. */
  isOutcomeUnknown: boolean;
  contextValues: ResourceRecord;
  onMap: (heading: string, value: string | null) => void;
  onMapValue: (heading: string, text: string, to: MeaningTarget | undefined) => void;
  empty: ImportForm['empty'];
  onEmpty: (empty: ImportForm['empty']) => void;
  unknown: ImportForm['unknown'];
  onUnknown: (unknown: ImportForm['unknown']) => void;
  split: boolean;
  onSplit: (split: boolean) => void;
  onFormat: (heading: string, format: CellFormat) => void;
  onStartOver: () => void;
  onImport: () => void;
}

/** The preview of an import: columns and their fields, the first rows with an error on each wrong cell, and what is skipped. */
export function ImportPreview(props: ImportPreviewProps) {
  const {
    definition,
    file,
    preview,
    isReading,
    isImporting,
    isOutcomeUnknown,
    contextValues,
    onMap,
    onMapValue,
    empty,
    onEmpty,
    unknown,
    onUnknown,
    split,
    onSplit,
    onFormat,
    onStartOver,
    onImport,
  } = props;
  const [onlyErrors, setOnlyErrors] = useState(false);
  const { ready: readyCount, failed, total, tool, columns } = preview;
  const { one: singular, many: plural } = definition.labels;
  const labelFor = (count: number) => (count === 1 ? singular : plural).toLowerCase();
  const isMatched = columns.some(({ field }) => field !== null);
  return (
    <section className={styles.importsCard} aria-label="Preview" aria-busy={isReading}>
      <header>
        <h2>Preview</h2>
        <small>
          {preview.is_misnamed && `${file.name} is a text file despite its name, and is read as text. `}
          {tool ? `${file.name} looks like a ${tool} export. ` : ''}
          {isOutcomeUnknown
            ? 'The import may have started: check the history before you import the file again.'
            : !isImporting && 'Nothing is stored yet.'}
        </small>
        {preview.memory && (
          <small className={styles.importsMemory}>
            Mapped as on {formatDay(preview.memory.at)}.{' '}
            <button type="button" disabled={isImporting} onClick={onStartOver}>
              Start over
            </button>
          </small>
        )}
        <span className={styles.importsGap} />
        <Box className="num" component="span" sx={{ color: 'var(--t2)', fontSize: 12 }}>
          {columnSummary(preview)}
        </Box>
      </header>
      {preview.matched_by && (
        <p className={styles.importsMatched}>
          <span>Rows with the {preview.matched_by} of a record change that record, the others make new ones.</span>
          <label>
            Empty cells{' '}
            <select
              value={empty}
              disabled={isImporting}
              onChange={({ target }) => onEmpty(target.value === 'clear' ? 'clear' : 'keep')}
            >
              <option value="keep">leave the value</option>
              <option value="clear">clear the value</option>
            </select>
          </label>
        </p>
      )}
      {preview.numbered > 0 && (
        <p className={styles.importsMatched}>
          <label>
            <input
              type="checkbox"
              checked={split}
              disabled={isImporting}
              onChange={({ target }) => onSplit(target.checked)}
            />{' '}
            Split numbered text into rows
          </label>
          <span className="num">
            {formatNumber(preview.numbered)} {preview.numbered === 1 ? 'row has' : 'rows have'} text such as “1. …”, “2.
            …”.
          </span>
        </p>
      )}
      <ColumnFormats formats={preview.formats} isBusy={isImporting} onFormat={onFormat} />
      <PreviewTable preview={preview} onlyErrors={onlyErrors && failed > 0} onMap={onMap} isBusy={isImporting} />
      <ValueMapping
        definition={definition}
        values={preview.values}
        contextValues={contextValues}
        isBusy={isImporting}
        unknown={unknown}
        onUnknown={onUnknown}
        onMapValue={onMapValue}
      />
      <NotImported preview={preview} />
      <footer>
        <span className={`${styles.importsTally} num`} data-tone="good">
          <Icon name="check" /> {preview.matched_by ? matchSummary(preview) : `${formatNumber(readyCount)} ready`}
          {preview.row_counts.map(({ label, count }) => ` · ${label}: ${formatNumber(count)}`).join('')}
          {preview.files.count > 0 &&
            ` · Files: ${formatNumber(preview.files.count)} (${formatBytes(preview.files.bytes)})`}
        </span>
        {failed > 0 && (
          <>
            <span className={`${styles.importsTally} num`} data-tone="bad">
              <Icon name="warning" /> {formatNumber(failed)} with errors
            </span>
            <small>Rows with errors come back as failed_imports_{definition.name}.xlsx</small>
          </>
        )}
        <span className={styles.importsGap} />
        {failed > 0 && (
          <Button
            variant="outlined"
            startIcon={<Icon name="filter" />}
            aria-pressed={onlyErrors}
            onClick={() => setOnlyErrors((valueBefore) => !valueBefore)}
          >
            {onlyErrors ? 'Show all rows' : 'Show only errors'}
          </Button>
        )}
        <Button
          variant="contained"
          startIcon={<Icon name="upload" />}
          disabled={!isMatched || readyCount === 0 || isReading || isImporting}
          onClick={onImport}
        >
          {isImporting
            ? `Importing ${formatNumber(total)} ${labelFor(total)}…`
            : `Import ${formatNumber(readyCount)} ${labelFor(readyCount)}`}
        </Button>
      </footer>
    </section>
  );
}

/** `3 new, 2 changed, 5 unchanged`. */
function matchSummary({ created, changed: changedCount, unchanged: unchangedCount }: PreviewResponse): string {
  return `${formatNumber(created)} new, ${formatNumber(changedCount)} changed, ${formatNumber(unchangedCount)} unchanged`;
}

/** `7 columns: 4 matched, 2 by hand, 1 left out (Labels)`. */
function columnSummary({ columns }: PreviewResponse): string {
  const fileColumns = columns.filter(({ by: origin }) => origin !== 'errors');
  const hand = fileColumns.filter(({ by: origin, field }) => isMappedByUser(origin) && field !== null).length;
  const matchedCount = fileColumns.filter(({ by: origin, field }) => !isMappedByUser(origin) && field !== null).length;
  const unmappedColumns = fileColumns.filter(({ field }) => field === null);
  const names = unmappedColumns
    .slice(0, 3)
    .map(({ heading }) => heading)
    .join(', ');
  const parts = [
    `${matchedCount} matched`,
    ...(hand > 0 ? [`${hand} by hand`] : []),
    ...(unmappedColumns.length > 0
      ? [`${unmappedColumns.length} left out (${names}${unmappedColumns.length > 3 ? ', …' : ''})`]
      : []),
  ];
  return `${fileColumns.length} column${fileColumns.length === 1 ? '' : 's'}: ${parts.join(', ')}`;
}

const isMappedByUser = (origin: PreviewResponse['columns'][number]['by']) => origin === 'hand' || origin === 'memory';

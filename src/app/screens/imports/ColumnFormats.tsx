import { Fragment } from 'react';
import { formatsOfKind, type CellFormat } from '../../../engine/imports/cell-formats';
import type { ColumnFormat } from './api';
import * as styles from './imports.module.css';

interface ColumnFormatsProps {
  formats: readonly ColumnFormat[];
  isBusy: boolean;
  onFormat: (heading: string, format: CellFormat) => void;
}

const labels: Readonly<Record<CellFormat, string>> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  point: '1,234.5',
  comma: '1.234,5',
};

const reasons = { file: 'as its cells show', person: 'as you write them', hand: 'as you chose' } as const;

/** The columns whose days or numbers could be read otherwise, as they will be stored, each with a choice. */
export function ColumnFormats({ formats, isBusy, onFormat }: ColumnFormatsProps) {
  const open = formats.filter(({ samples, by: origin }) => samples.length > 0 || origin === 'hand');
  if (open.length === 0) return null;
  return (
    <section aria-label="Days and numbers">
      {open.map(({ column, kind, format, by: origin, samples }) => (
        <p key={column} className={styles.importsMatched}>
          <label>
            {column}{' '}
            <select
              value={format}
              disabled={isBusy}
              onChange={({ target }) => onFormat(column, target.value as CellFormat)}
            >
              {formatsOfKind[kind].map((cellFormat) => (
                <option key={cellFormat} value={cellFormat}>
                  {labels[cellFormat]}
                </option>
              ))}
            </select>
          </label>
          <span className="num">
            Read {reasons[origin]}
            {samples.map(({ text, means: meaning }) => (
              <Fragment key={text}>
                , <span className={styles.importsSample}>“{text}”</span> is{' '}
                <span className={styles.importsSample}>{meaning ?? 'no value'}</span>
              </Fragment>
            ))}
            .
          </span>
        </p>
      ))}
    </section>
  );
}

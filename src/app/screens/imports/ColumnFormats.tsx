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
  const open = formats.filter(({ samples, by }) => samples.length > 0 || by === 'hand');
  if (open.length === 0) return null;
  return (
    <section aria-label="Days and numbers">
      {open.map(({ column, kind, format, by, samples }) => (
        <p key={column} className={styles.importsMatched}>
          <label>
            {column}{' '}
            <select
              value={format}
              disabled={isBusy}
              onChange={({ target }) => onFormat(column, target.value as CellFormat)}
            >
              {formatsOfKind[kind].map((one) => (
                <option key={one} value={one}>
                  {labels[one]}
                </option>
              ))}
            </select>
          </label>
          <span className="num">
            Read {reasons[by]}
            {samples.map(({ text, means }) => (
              <Fragment key={text}>
                , <span className={styles.importsSample}>“{text}”</span> is{' '}
                <span className={styles.importsSample}>{means ?? 'no value'}</span>
              </Fragment>
            ))}
            .
          </span>
        </p>
      ))}
    </section>
  );
}

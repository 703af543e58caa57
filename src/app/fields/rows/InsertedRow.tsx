import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Definition, Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertedRows, rowsIn } from '../../../engine/field-types/rows';
import { formatNumber } from '../../../engine/formats/numbers';
import { propertyOf, requireValue } from '../../../engine/values/lookups';
import type { Choice, ChoiceSource } from '../choices/choice';
import { useChoiceTitles } from '../choices/useChoiceTitles';
import { Icon } from '../../icons/Icon';
import { CellText } from './CellText';
import * as styles from './rows.module.css';

interface InsertedRowProps {
  field: FieldOf<'rows'>;
  columns: readonly Field[];
  row: ResourceRecord;
  /** Its place among the rows, and the number of the first one that it stands for. */
  index: number;
  number: number;
  choices: ChoiceSource | undefined;
  columnChoices?: (column: Field) => ChoiceSource | undefined;
  error: string | undefined;
  /** In how many records it is used: undefined if that is not known. */
  usage?: { count: number; definition: Definition } | undefined;
  /** Where its record is; undefined for users who cannot open it. */
  path?: string | undefined;
  readOnly: boolean;
  onDetach: () => void;
  onRemove: () => void;
}

/** A row that stands for those of a record: folded to one line, and unfolded to read them. */
export function InsertedRow({ field, columns, row, index, number, usage, path, readOnly, ...props }: InsertedRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const rows = rowsIn(row[insertedRows]);
  const last = number + rows.length - 1;
  const { by: relation } = requireValue(field.insertedRows, `insertedRows of ${field.name}`);
  const label = propertyOf(field.columns, relation).label.toLowerCase();
  return (
    <>
      <div className={styles.insertedRow} data-error={props.error === undefined ? undefined : ''} title={props.error}>
        <IconButton
          size="small"
          data-fold={index}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={`${isOpen ? 'Fold' : 'Unfold'} the ${label} of row ${index + 1}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={16} />
        </IconButton>
        <Icon name="layers" size={16} />
        {rows.length > 0 && (
          <span className={`${styles.insertedPlace} num`}>{rows.length > 1 ? `${number}–${last}` : number}</span>
        )}
        <b className={styles.insertedTitle}>
          {props.choices ? <Title source={props.choices} id={row[relation] as Choice['id']} /> : null}
        </b>
        <span className={styles.insertedCount}>
          {rows.length === 1 ? '1 row' : `${formatNumber(rows.length)} rows`}
        </span>
        {usage && (
          <span className={styles.insertedUse}>
            used in {formatNumber(usage.count)}{' '}
            {(usage.count === 1 ? usage.definition.labels.one : usage.definition.labels.many).toLowerCase()}
          </span>
        )}
        <span className={styles.insertedTools}>
          {path !== undefined && (
            <Button
              component={Link}
              to={path}
              target="_blank"
              variant="text"
              size="small"
              color="inherit"
              startIcon={<Icon name="external" size={14} />}
            >
              Open
            </Button>
          )}
          {!readOnly && (
            <>
              <Button
                variant="text"
                size="small"
                color="inherit"
                startIcon={<Icon name="link" size={14} />}
                onClick={props.onDetach}
              >
                Detach
              </Button>
              <IconButton size="small" aria-label={`Remove row ${index + 1}`} onClick={props.onRemove}>
                <Icon name="trash" size={14} />
              </IconButton>
            </>
          )}
        </span>
      </div>
      {isOpen && (
        <ol id={id} className={styles.insertedList} start={number}>
          {rows.map((insertedRow, position) => (
            <li key={position}>
              <span className="num" aria-hidden="true">
                {number + position}
              </span>
              {columns.map((column) => (
                <span key={column.name} data-label={column.label}>
                  <CellText
                    column={column}
                    row={insertedRow}
                    value={insertedRow[column.name]}
                    choices={props.columnChoices?.(column)}
                  />
                </span>
              ))}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Title({ source, id }: { source: ChoiceSource; id: Choice['id'] }) {
  return useChoiceTitles(source, [id]).choice(id).title;
}

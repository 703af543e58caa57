import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { formatJson } from '../../../src/engine/studio/format';
import { Icon } from '../../../src/app/icons/Icon';
import { ClauseRow } from './ClauseRow';
import type { Subject } from './fields';
import { operatorsFor, readBuilt, writeBuilt, type Built, type Clause } from './shim';

interface ConditionEditorProps {
  label: string;
  value: unknown;
  fields: readonly Subject[];
  /** Undefined: nothing is asked. */
  onChange: (condition: unknown) => void;
}

/** A condition clause by clause. One that says more than clauses can is shown as it is written. */
export function ConditionEditor({ label, value, fields, onChange }: ConditionEditorProps) {
  // A clause is no condition before it has a value: until then it waits here.
  const [waiting, setWaiting] = useState<Clause | null>(null);
  const built = value === undefined ? { join: 'all' as const, clauses: [] } : readBuilt(value);
  if (!built) return <Written value={value} label={label} onClear={() => onChange(undefined)} />;
  const clauses = waiting ? [...built.clauses, waiting] : built.clauses;
  const put = (next: readonly Clause[]) => {
    const unfinished = next.at(-1);
    const isWaiting = unfinished !== undefined && !isWhole(unfinished);
    setWaiting(isWaiting ? unfinished : null);
    const whole = isWaiting ? next.slice(0, -1) : next;
    onChange(whole.length === 0 ? undefined : writeBuilt({ ...(built as Built), clauses: whole }));
  };
  const add = () => {
    const first = fields.find(({ name }) => name !== 'id' && !clauses.some(({ left }) => left === name)) ?? fields[0]!;
    put([...clauses, { left: first.name, operator: operatorsFor(first.field.type ?? 'text')[0]!.value, value: undefined }]); // prettier-ignore
  };
  return (
    <div className="studio-condition" role="group" aria-label={label}>
      {clauses.map((clause, index) => (
        <ClauseRow
          key={index}
          {...{ clause, fields }}
          label={label}
          onChange={(next) => put(clauses.with(index, next))}
          onRemove={() => put(clauses.toSpliced(index, 1))}
        />
      ))}
      {!waiting && (
        <Button
          size="small"
          variant="text"
          startIcon={<Icon name="plus" />}
          onClick={add}
          aria-label={`Add a condition: ${label}`}
        >
          {clauses.length === 0 ? 'Add a condition' : 'And'}
        </Button>
      )}
    </div>
  );
}

/** Whether a clause has what it compares with. */
const isWhole = ({ value }: Clause) => value !== undefined && !(Array.isArray(value) && value.length === 0);

function Written({ value, label, onClear }: { value: unknown; label: string; onClear: () => void }) {
  return (
    <div className="studio-written">
      <pre className="studio-code">{formatJson(value)}</pre>
      <IconButton size="small" aria-label={`Remove: ${label}`} title="Remove" onClick={onClear}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

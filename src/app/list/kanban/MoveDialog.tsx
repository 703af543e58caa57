import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import type { RaRecord } from 'react-admin';
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { firstOf } from '../../../engine/values/lookups';
import type { InputProps } from '../../fields/fieldType';
import { FieldInput } from '../../fields/inputs';
import { Icon } from '../../icons/Icon';
import { useCellChoices } from '../inline/useCellChoices';
import type { MoveInput, PendingMove } from './useMoves';
import * as labelStyles from '../../fields/labels.module.css';
import * as styles from './kanban.module.css';

interface MoveDialogProps {
  definition: Definition;
  move: PendingMove;
  onConfirm: (entered: ResourceRecord) => void;
  onCancel: () => void;
}

const trimText = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** Asks for the input that a move needs, such as a comment. Ctrl+Enter saves; Escape cancels the move. */
export function MoveDialog({ definition, move, onConfirm, onCancel }: MoveDialogProps) {
  const { errors, failure } = move;
  const isSaving = move.phase === 'saving';
  const id = useId();
  const [values, setValues] = useState<ResourceRecord>({});
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const inputOf = (name: string) => `${id}-${name}`;
  const isMissing = ({ field, required: isRequired }: MoveInput) => isRequired && isEmpty(trimText(values[field.name]));
  const firstInput = inputOf(firstOf(move.inputs).field.name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setWasSubmitted(true);
    const missingInput = move.inputs.find(isMissing);
    if (missingInput) document.getElementById(inputOf(missingInput.field.name))?.focus();
    else onConfirm(Object.fromEntries(move.inputs.map(({ field: { name } }) => [name, trimText(values[name] ?? '')])));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    // In a choice it chooses first.
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.currentTarget.requestSubmit();
  };
  return (
    <Dialog
      open
      disableRestoreFocus
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-record`}
      onClose={(_, reason) => reason === 'escapeKeyDown' && onCancel()}
      // A keyboard drag ends by focusing its card, so the dialog takes the focus after that.
      slotProps={{
        transition: { onEntered: () => document.getElementById(firstInput)?.focus() },
        paper: { sx: { width: 400, maxWidth: 'calc(100% - 32px)' } },
      }}
    >
      <DialogTitle id={`${id}-title`} component="h2">
        Move to {move.to.title}?
      </DialogTitle>
      <form onSubmit={save} onKeyDown={onKeyDown}>
        <DialogContent>
          <p id={`${id}-record`} className={styles.boardAsked}>
            {recordTitle(definition, move.record)}
          </p>
          {move.inputs.map((input) => {
            const { field, required: isRequired } = input;
            const inputId = inputOf(field.name);
            const problem = wasSubmitted && isMissing(input) ? `${field.label} is required.` : errors[field.name];
            return (
              <div key={field.name}>
                <div className={labelStyles.fieldLabel}>
                  <label id={`${inputId}-label`} htmlFor={inputId}>
                    <span>{field.label}</span>
                    {isRequired && <b aria-hidden="true">*</b>}
                  </label>
                </div>
                <MoveValueInput
                  id={inputId}
                  {...{ definition, field, required: isRequired }}
                  record={move.record as RaRecord}
                  changes={values}
                  value={values[field.name]}
                  onChange={(value) => setValues((current) => ({ ...current, [field.name]: value }))}
                  invalid={problem !== undefined}
                  describedBy={problem === undefined ? undefined : `${inputId}-error`}
                  autoFocus={inputId === firstInput}
                />
                {problem && <Wrong id={`${inputId}-error`}>{problem}</Wrong>}
              </div>
            );
          })}
          {failure && <Wrong id={`${id}-failure`}>{failure}</Wrong>}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" disabled={isSaving} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" size="large" aria-disabled={isSaving}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface MoveValueInputProps extends Omit<InputProps, 'choices'> {
  definition: Definition;
  record: RaRecord;
  /** The values entered with the move so far. */
  changes: ResourceRecord;
}

/** An input of a move, with the choices that the form of the record would offer. */
function MoveValueInput({ definition, record, changes, ...input }: MoveValueInputProps) {
  const { field } = input;
  const choices = useCellChoices({ definition, field, record, changes });
  return <FieldInput {...input} choices={definition.fields[field.name] === field ? choices : undefined} />;
}

function Wrong({ id, children }: { id: string; children: string }) {
  return (
    <p className={labelStyles.fieldError} id={id} role="alert">
      <Icon name="warning" size={14} />
      {children}
    </p>
  );
}

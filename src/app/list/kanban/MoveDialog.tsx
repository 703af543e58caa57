import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { Definition, Kanban } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/validation/is-empty';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { FieldInput } from '../../fields/inputs';
import { Icon } from '../../icons/Icon';
import type { Move } from './useMoves';
import * as formStyles from '../../form/form.module.css';
import * as styles from './kanban.module.css';

interface MoveDialogProps {
  definition: Definition;
  kanban: Kanban;
  move: Move;
  busy: boolean;
  /** The server's error for the input. */
  error?: string;
  onConfirm: (text: string) => void;
  onCancel: () => void;
}

/** Asks for the input that a move needs, such as a comment. Ctrl+Enter saves; Escape cancels the move. */
export function MoveDialog({ definition, kanban, move, busy, error, onConfirm, onCancel }: MoveDialogProps) {
  const { registry } = useDefinitions();
  const id = useId();
  const [value, setValue] = useState<unknown>();
  const [tried, setTried] = useState(false);
  const request = definition.requests[kanban.request]!;
  const added = request.adds && registry.get(request.adds.resource);
  const field = added?.fields[kanban.field] ?? definition.fields[kanban.field]!;
  const required = request.required.includes(kanban.field);
  const missing = required && isEmpty(typeof value === 'string' ? value.trim() : value);
  const wrong = tried && missing ? `${field.label} is required.` : error;
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    if (missing) document.getElementById(id)?.focus();
    else onConfirm(typeof value === 'string' ? value.trim() : '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') save();
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
        transition: { onEntered: () => document.getElementById(id)?.focus() },
        paper: { sx: { width: 400, maxWidth: 'calc(100% - 32px)' } },
      }}
    >
      <DialogTitle id={`${id}-title`} component="h2">
        Move to {move.to.title}?
      </DialogTitle>
      <form noValidate onSubmit={save} onKeyDown={onKeyDown}>
        <DialogContent>
          <p id={`${id}-record`} className={styles.boardAsked}>
            {recordTitle(definition, move.record)}
          </p>
          <div className={formStyles.fieldLabel}>
            <label id={`${id}-label`} htmlFor={id}>
              <span>{field.label}</span>
              {required && <b aria-hidden="true">*</b>}
            </label>
          </div>
          <FieldInput
            id={id}
            field={field}
            value={value}
            onChange={setValue}
            required={required}
            invalid={wrong !== undefined}
            describedBy={wrong === undefined ? undefined : `${id}-error`}
            autoFocus
          />
          {wrong && (
            <p className={formStyles.fieldError} id={`${id}-error`} role="alert">
              <Icon name="warning" size={14} />
              {wrong}
            </p>
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" size="large" aria-disabled={busy}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

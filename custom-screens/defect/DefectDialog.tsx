import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useEffect, useId, useLayoutEffect, useMemo, useState, type FormEvent } from 'react';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { FilesAsChoice } from '../../src/app/fields/files/FilesAsChoice';
import { DialogHead } from '../../src/app/dialogs/DialogHead';
import { NewRecordBase, useCreateRecord } from '../../src/app/form/RecordBase';
import type { SaveBeforeLeaving } from '../../src/app/form/UnsavedChangesProvider';
import { useGuardedClose } from '../../src/app/form/useGuardedClose';
import { useRecordForm } from '../../src/app/form/useRecordForm';
import { isEmpty } from '../../src/engine/values/is-empty';
import * as formStyles from '../../src/app/form/form.module.css';
import { phone } from '../../src/app/theme/overrides';
import { defectDefinition } from './defectDefinition';
import { LookAlike } from './LookAlike';
import type { ProposedValues } from './proposeValues';

export interface DefectDialogProps {
  /** The test in which the defect was found: `from TC-19 in R-5, step 3`. */
  origin: string;
  /** The initial values of the task. */
  values: ResourceRecord;
  project: number;
  /** Looks up what else is known, while the dialog is open. */
  propose: () => Promise<ProposedValues>;
  /** Says that more is stored with the task: `saves the result Fail and goes on`. */
  note?: string;
  /** The test case that can be tested again when the task is completed: `TC-19`; none: a build tests it again anyway. */
  retested?: string;
  /** Where a file of the evidence was seen: `Step 3`. */
  noteOf?: (file: { readonly name: string }) => string | undefined;
  onCreated: (task: ResourceRecord, isRetested: boolean) => void;
  /** Links a task that there is; rejects with the reason. */
  onLink: (task: number, isRetested: boolean) => Promise<void>;
  onClose: () => void;
}

/** Creates a task from a failure and links it, or links one that is like it. */
export default function DefectDialog(props: DefectDialogProps) {
  const titleId = useId();
  const tasks = useDefinitions().registry.getOrThrow('tasks');
  const [assigneeHint, setAssigneeHint] = useState<string>();
  const [isWide] = useState(() => window.matchMedia(wideWindow).matches);
  const definition = useMemo(() => defectDefinition(tasks, assigneeHint, isWide), [tasks, assigneeHint, isWide]);
  const { close, onDirty, onSaving, offerSave, question } = useGuardedClose(props.onClose, true);
  return (
    <>
      <Dialog
        open
        aria-labelledby={titleId}
        onClose={(_, reason) => reason === 'escapeKeyDown' && close()}
        slotProps={{ paper: { className: formStyles.formDialog, sx: frame } }}
      >
        <DialogHead id={titleId} onClose={close}>
          Create defect{' '}
          <Box component="small" sx={{ color: 'var(--t3)', fontWeight: 400, fontSize: 14 }}>
            {props.origin}
          </Box>
        </DialogHead>
        <NewRecordBase definition={definition}>
          <FilesAsChoice value={props.noteOf ?? noNote}>
            <DefectForm
              {...props}
              {...{ tasks, definition, onDirty, onSaving, offerSave }}
              onHint={setAssigneeHint}
              onCancel={close}
            />
          </FilesAsChoice>
        </NewRecordBase>
      </Dialog>
      {question}
    </>
  );
}

const noNote = () => undefined;

/** Windows in which a form has its rail beside the other parts. */
const wideWindow = '(min-width: 1024px)';

const frame = {
  // Two selects beside each other show their values uncut, which they do not at 320.
  '--form-rail': '376px',
  width: 920,
  maxWidth: 'calc(100% - 32px)',
  // The place of the button that clears a choice belongs to its title until the button is shown.
  '& .MuiAutocomplete-hasClearIcon:not(:hover):not(.Mui-focused) .MuiAutocomplete-inputRoot': { paddingRight: '36px' },
  // The step at which the test failed: the last one, which says so in bold.
  '& .formatted ol > li:last-child:has(strong)': { color: 'var(--urgent-t)', fontWeight: 500 },
  [phone]: { width: '100%', maxWidth: 'none', height: '100%', maxHeight: 'none', margin: 0, borderRadius: 0 },
};

interface DefectFormProps extends DefectDialogProps {
  tasks: Definition;
  /** With the form of a defect. */
  definition: Definition;
  onDirty: (dirty: boolean) => void;
  onSaving: (saving: boolean) => void;
  offerSave: (save: SaveBeforeLeaving) => void;
  onHint: (assigneeHint: string | undefined) => void;
  onCancel: () => void;
}

function DefectForm(props: DefectFormProps) {
  const { tasks, definition, values, project, note, retested, onCreated, onLink, onClose, onCancel } = props;
  const { propose, onDirty, onSaving, offerSave, onHint } = props;
  const create = useCreateRecord(definition);
  const [isLinking, setLinking] = useState(false);
  const [linkProblem, setLinkProblem] = useState<string>();
  const [isRetestWanted, setRetestWanted] = useState(true);
  const isRetested = retested !== undefined && isRetestWanted;
  const idPrefix = `defect${useId()}`;
  const finish = (task: ResourceRecord) => {
    onDirty(false);
    onCreated(task, isRetested);
    onClose();
  };
  const { form, saving, fields, saveAndLeave, dialog } = useRecordForm(
    {
      definition,
      mode: 'create',
      record: values,
      send: (sentValues) => create({ ...sentValues, project_id: project }),
    },
    { idPrefix, fixedFields, onSaved: finish, onLeft: (task) => onCreated(task, isRetested) },
  );
  // While a task is linked none is created beside it.
  useLayoutEffect(() => {
    offerSave((leave, stay) => (isLinking ? stay() : saveAndLeave(leave, stay)));
  });
  const holdBack = (event: FormEvent) => {
    if (!isLinking) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { dirty, values: typedValues } = form.form;
  useEffect(() => {
    let isOpen = true;
    void propose().then(({ values: proposedValues, assigneeHint }) => {
      if (!isOpen) return;
      const current = form.form.current();
      // A value that was chosen in the meantime stays, and so does an input in which somebody types. The sub module belongs
      // to the module of the test case.
      const focusedField = document.activeElement?.closest('[data-field]')?.getAttribute('data-field');
      const isTaken = ([name, value]: [string, unknown]) =>
        value !== undefined &&
        form.states[name]?.readOnly === false &&
        isEmpty(current[name]) &&
        name !== focusedField &&
        (name !== 'project_sub_module_id' || current.project_module_id === values.project_module_id);
      const takenValues = Object.fromEntries(Object.entries(proposedValues).filter(isTaken));
      form.form.begin(takenValues);
      if ('assigned_to' in takenValues) onHint(assigneeHint);
    });
    return () => {
      isOpen = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- looked up once
  }, []);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  useEffect(() => onSaving(saving), [saving, onSaving]);
  const link = async (task: number) => {
    setLinking(true);
    setLinkProblem(undefined);
    try {
      await onLink(task, isRetested);
      onDirty(false);
      onClose();
    } catch (error) {
      setLinkProblem(error instanceof Error ? error.message : '');
      setLinking(false);
    }
  };
  const nameField = tasks.fields.name;
  return (
    <>
      {nameField && (
        <LookAlike
          {...{ tasks, project }}
          isBusy={isLinking || saving}
          field={nameField}
          text={String(typedValues.name ?? '')}
          onLink={(task) => void link(task)}
        />
      )}
      {linkProblem !== undefined && (
        <Box role="alert" sx={{ px: 5, py: 2, bgcolor: 'var(--urgent-bg)', color: 'var(--urgent-t)', fontSize: 13 }}>
          The task could not be linked. {linkProblem}
        </Box>
      )}
      <Box sx={{ display: 'contents' }} onSubmitCapture={holdBack}>
        {fields(
          <DialogActions sx={{ [phone]: { flexWrap: 'wrap' } }}>
            {retested !== undefined && (
              <FormControlLabel
                sx={{ flex: 'none', mr: 'auto', [phone]: { flexBasis: '100%' } }}
                control={<Checkbox checked={isRetestWanted} onChange={(_, isWanted) => setRetestWanted(isWanted)} />}
                label={`Retest ${retested} when the task is completed`}
                slotProps={{ typography: { sx: { fontSize: 13 } } }}
              />
            )}
            {note && (
              <Box
                component="span"
                sx={{
                  flex: '1 1 auto',
                  color: 'var(--t3)',
                  fontSize: 12,
                  textAlign: 'right',
                  [phone]: { flexBasis: '100%' },
                }}
              >
                {note}
              </Box>
            )}
            <Button variant="outlined" size="large" onClick={onCancel}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="contained"
              size="large"
              aria-keyshortcuts="Control+Enter"
              title="Ctrl+Enter"
              aria-disabled={saving || isLinking}
              disabled={isLinking}
            >
              Create and link
            </Button>
          </DialogActions>,
        )}
      </Box>
      {dialog}
    </>
  );
}

/** The run says which project it is. */
const fixedFields = ['project_id'];

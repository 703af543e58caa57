import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { DialogHead } from '../dialogs/DialogHead';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { createsRecord } from '../../engine/forms/form-fields';
import { redirectAfterSave } from '../../engine/forms/redirect';
import { recordTitleOf } from '../chips/titleOf';
import { useRememberRecent } from '../commands/useRememberRecent';
import type { OpenedForm } from '../dialogs/openDialog';
import { TitleOver } from '../layout/page';
import { OthersHere } from '../presence/OthersHere';
import { FailedState } from '../states/FailedState';
import { MissingRecord, missingTitle } from '../states/MissingRecord';
import { ApiError } from '../session/apiError';
import { AboutLinks } from '../form/AboutLinks';
import type { FormFrameProps } from '../form/formFrame';
import { preloadForm } from '../form/ObjectTemplate';
import { NewRecordBase, StoredRecordBase, useCreateRecord, useEditRecord } from '../form/RecordBase';
import { phone } from '../theme/overrides';
import { SaveAndNext } from '../form/SaveBar';
import { FormSkeleton } from '../form/FormSkeleton';
import { formTitle } from '../form/formTexts';
import type { SaveBeforeLeaving } from '../form/UnsavedChangesProvider';
import { useGuardedClose } from '../form/useGuardedClose';
import { useRecordForm, type FormSource } from '../form/useRecordForm';
import { SidePanel } from './side/SidePanel';
import { SideDelete } from './side/SideDelete';
import { SideHead } from './side/SideHead';
import { useCallAfterCreate } from './side/useCallAfterCreate';
import * as styles from '../form/form.module.css';

/** Options and callbacks of the dialog. */
export interface ResourceFormDialogProps extends Omit<OpenedForm, 'kind'> {
  /** Its own address, if it has one. */
  formPlace?: FormPlace;
  onClose: () => void;
}

/** The address of a form over its list. */
interface FormPlace {
  pathname: string;
  /** The path of the list, with its query. */
  list: string;
  /** The state of the entry in the browser's history. */
  state: unknown;
}

/** The form of any definition in a dialog. It is open while mounted. */
export function ResourceFormDialog(props: ResourceFormDialogProps) {
  const {
    definition,
    width = definition.form.dialog?.width ?? definition.form.popup?.width ?? 480,
    id,
    formPlace,
    onClose,
  } = props;
  const titleId = useId();
  const { close, onDirty, onSaving, offerSave, question } = useGuardedClose(onClose, true);
  const [shownForm, setShownForm] = useState<ShownForm>({ readOnly: false, editing: false });
  const parts = { ...props, onCancel: close, onDirty, onSaving, offerSave, onShown: setShownForm };
  const title = shownForm.isMissing ? missingTitle(definition) : formTitle(definition, props.mode, shownForm.readOnly);
  const isStored = id !== undefined && !createsRecord(props.mode);
  const form =
    id === undefined ? (
      <NewForm {...parts} record={props.preset ?? emptyRecord} />
    ) : (
      <StoredRecordBase definition={definition} id={id}>
        <StoredForm {...parts} />
      </StoredRecordBase>
    );
  const Frame = definition.form.dialog?.side ? SidePanel : CentredDialog;
  return (
    <>
      <Frame
        {...{ titleId, title, width, onClose: close }}
        level={formPlace ? 1 : 2}
        lasting={props.shownAnswer !== undefined}
        links={
          formPlace &&
          isStored && (
            <>
              <OthersHere {...{ definition }} record={{ id }} editing={shownForm.editing} />
              <AboutLinks {...{ definition, id }} />
            </>
          )
        }
      >
        {form}
      </Frame>
      {formPlace && <TitleOver title={title} record={shownForm.record} />}
      {question}
    </>
  );
}

function CentredDialog({ titleId, title, level, links, width, onClose, children }: FormFrameProps) {
  return (
    <Dialog
      open
      aria-labelledby={titleId}
      slotProps={{
        paper: {
          className: typeof width === 'number' ? styles.formDialog : styles.formPopup,
          sx: {
            width,
            maxWidth: 'calc(100% - 32px)',
            // At the top, where the keyboard of a phone leaves its buttons free.
            [phone]: { alignSelf: 'flex-start', width: 'calc(100% - 16px)', maxWidth: 'none', margin: '8px' },
          },
        },
      }}
      onClose={(_, reason) => reason === 'escapeKeyDown' && onClose()}
    >
      <DialogHead id={titleId} {...{ level, links, onClose }}>
        {title}
      </DialogHead>
      {children}
    </Dialog>
  );
}

/** The record and title of a form, once they are known. */
interface ShownForm {
  readOnly: boolean;
  /** Something was changed that is not stored yet. */
  editing: boolean;
  /** Its record does not exist, or not for this user. */
  isMissing?: boolean;
  /** The title of its stored record. */
  record?: string;
}

interface DialogPartProps extends ResourceFormDialogProps {
  onShown: (form: ShownForm) => void;
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
  onSaving: (saving: boolean) => void;
  offerSave: (save: SaveBeforeLeaving) => void;
}

const emptyRecord: ResourceRecord = {};
const noNames: readonly string[] = [];

type NewFormProps = DialogPartProps & { record: ResourceRecord };

function NewForm(props: NewFormProps) {
  return (
    <NewRecordBase definition={props.definition}>
      <CreateForm {...props} />
    </NewRecordBase>
  );
}

function CreateForm(props: NewFormProps) {
  const create = useCreateRecord(props.definition);
  const { record, fixedFields: fixedNames = noNames } = props;
  const fixedValues = Object.fromEntries(fixedNames.map((name) => [name, record[name]]));
  return <DialogForm {...props} send={(values) => create({ ...values, ...fixedValues })} />;
}

function StoredForm(props: DialogPartProps) {
  const { record, isFetching, error, send, reload } = useEditRecord();
  useEffect(() => void preloadForm(props.definition), [props.definition]);
  const [first, setFirst] = useState<ResourceRecord>();
  if (!first && record && !isFetching) setFirst(record);
  const isGone = error instanceof ApiError && error.status === 404;
  if (first && createsRecord(props.mode)) return <NewForm {...props} record={first} />;
  if (first) return <DialogForm {...props} {...{ send, reload }} record={first} latest={record} isDeleted={isGone} />;
  if (isFetching || !error) return <FormSkeleton definition={props.definition} />;
  const { definition } = props;
  const { labels } = definition;
  const link = props.formPlace && { to: props.formPlace.list, label: `All ${labels.many.toLowerCase()}` };
  if (isGone) return <MissingForm {...{ definition, onShown: props.onShown }} list={props.formPlace?.list} />;
  return (
    <FailedState
      title={`${labels.one} could not be loaded`}
      message={error.message}
      onRetry={() => void reload()}
      link={link}
    />
  );
}

interface MissingFormProps {
  definition: Definition;
  list: string | undefined;
  onShown: (form: ShownForm) => void;
}

function MissingForm({ definition, list, onShown }: MissingFormProps) {
  useEffect(() => onShown({ readOnly: true, editing: false, isMissing: true }), [onShown]);
  return <MissingRecord {...{ definition, list }} />;
}

type DialogFormProps = DialogPartProps & FormSource;

function DialogForm(props: DialogFormProps) {
  const {
    definition,
    mode,
    fixedFields: fixedNames,
    shownAnswer,
    formPlace,
    onClose,
    onCancel,
    onDirty,
    onSaving,
    offerSave,
    onShown,
    onSaved,
  } = props;
  const callAfterCreate = useCallAfterCreate(definition);
  const navigate = useNavigate();
  const dialogPrefix = `dialog${useId()}`;
  const { form, firstRecord, saving, hasNext, fields, saveAndLeave, dialog } = useRecordForm(props, {
    idPrefix: formPlace ? 'field' : dialogPrefix,
    fixedFields: fixedNames,
    onSaved: (storedRecord, { model, restart }) => {
      onDirty(false);
      onSaved?.(storedRecord);
      const next = formPlace && redirectAfterSave(definition, mode, storedRecord, model.evaluationContext);
      if (next && next === formPlace.pathname) return restart(createsRecord(mode) ? firstRecord : storedRecord);
      if (next) return void navigate(next);
      onClose();
      if (createsRecord(mode)) callAfterCreate(storedRecord);
    },
    onLeft: (storedRecord) => {
      onDirty(false);
      onSaved?.(storedRecord);
      if (createsRecord(mode)) callAfterCreate(storedRecord);
    },
  });
  useLayoutEffect(() => {
    offerSave(saveAndLeave);
  });
  const { dirty } = form.form;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  useEffect(() => onSaving(saving), [saving, onSaving]);
  const { readOnly } = form.shape;
  const isStored = !createsRecord(mode);
  const record = isStored ? recordTitleOf(definition, form.form.record) : undefined;
  const editing = dirty && !readOnly;
  useEffect(() => onShown({ readOnly, editing, record }), [onShown, readOnly, editing, record]);
  useRememberRecent(definition, formPlace && isStored ? Number(form.form.record.id) : undefined);
  const mayEdit = formPlace !== undefined && mode === 'view' && form.model.access.refusal === undefined;
  return (
    <>
      {definition.form.dialog?.side && (
        <SideHead {...{ definition, shownAnswer }} record={{ ...props.record, ...form.form.values }} />
      )}
      {fields(
        <DialogActions>
          {definition.form.dialog?.side && isStored && props.record.id !== undefined && (
            <SideDelete {...{ definition }} record={props.record} onDeleted={onClose} />
          )}
          <Button variant="outlined" size="large" onClick={onCancel}>
            {readOnly && !formPlace ? 'Close' : 'Cancel'}
          </Button>
          {mayEdit && (
            <Button
              variant="contained"
              size="large"
              onClick={() =>
                void navigate(`/${definition.name}/${String(form.form.record.id)}`, {
                  replace: true,
                  state: formPlace.state,
                })
              }
            >
              Edit
            </Button>
          )}
          {!readOnly && (
            <Button
              type="submit"
              variant="contained"
              size="large"
              aria-keyshortcuts="Control+S"
              aria-disabled={saving}
              sx={{ order: 1 }}
            >
              Save
            </Button>
          )}
          {/* After Save, which Enter in a field presses: the first submit button. */}
          {!readOnly && hasNext && <SaveAndNext saving={saving} />}
        </DialogActions>,
      )}
      {dialog}
    </>
  );
}

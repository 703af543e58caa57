import useMediaQuery from '@mui/material/useMediaQuery';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { createsRecord } from '../../engine/forms/form-fields';
import { redirectAfterSave } from '../../engine/forms/redirect';
import { lazyComponent } from '../states/lazyComponent';
import { recordTitleOf } from '../chips/titleOf';
import { useRememberRecent } from '../commands/useRememberRecent';
import { usePage } from '../layout/page';
import { FormActions } from './FormActions';
import { formTitle } from '../form/formTexts';
import { UnsavedChangesGuard } from '../form/UnsavedChangesGuard';
import { SaveBar } from '../form/SaveBar';
import type { CameFrom } from '../navigation/cameFrom';
import { FormTabs } from './tabs/FormTabs';
import { useRecordForm, type FormSource } from '../form/useRecordForm';
import * as styles from '../form/form.module.css';

const Comments = lazyComponent(() => import('../comments/CommentsPanel'));
const Stream = lazyComponent(() => import('./StreamPanel'));
/** Windows that have room for what happened to a record beside its form, as in `form.module.css`. */
const wideWindow = '@media (min-width: 1600px)';

/** A form as a page: title, fields, save bar, and a link back to the list. */
export function FormScreen({ saveLabel, ...props }: FormSource & { saveLabel?: string }) {
  const { definition, mode } = props;
  const navigate = useNavigate();
  const { pathname, state } = useLocation() as { pathname: string; state: Partial<CameFrom> | null };
  const list = `/${definition.name}`;
  // The record's page, or what else led here.
  const home = state?.from ?? list;
  const isGuarded = useRef(false);
  const leave = (path: string) => {
    isGuarded.current = false;
    void navigate(path);
  };
  const { form, firstRecord, saving, hasNext, fields, saveAndLeave, dialog } = useRecordForm(props, {
    idPrefix: 'field',
    onSaved: (savedRecord, { model, restart }) => {
      const next = state?.from ?? redirectAfterSave(definition, mode, savedRecord, model.evaluationContext) ?? list;
      // Staying on the page restarts the form: with an empty record, or with this one as stored.
      if (next === pathname) restart(createsRecord(mode) ? firstRecord : savedRecord);
      else leave(next);
    },
    onLeft: () => {
      isGuarded.current = false;
    },
  });
  const { dirty } = form.form;
  useEffect(() => {
    isGuarded.current = dirty && !form.shape.readOnly;
  }, [dirty, form.shape.readOnly]);
  const guards = useCallback(() => isGuarded.current, []);
  const isStored = !createsRecord(mode);
  const isWide = useMediaQuery(wideWindow, { noSsr: true });
  const Beside = isWide && definition.page ? Stream : definition.comments?.form ? Comments : null;
  const isOnlyViewed = mode === 'view' && form.model.access.refusal === undefined;

  useRememberRecent(definition, isStored ? Number(form.form.record.id) : undefined);

  const record = isStored ? recordTitleOf(definition, form.form.record) : undefined;
  usePage({
    title: formTitle(definition, mode, form.shape.readOnly),
    note: record,
    record,
    back: { to: home, label: state?.label ?? (state?.from ? definition.labels.one : definition.labels.many) },
    flat: isStored && definition.form.tabs.some(({ pageOnly }) => !pageOnly),
  });
  const page = fields(
    <SaveBar
      errorCount={form.wrong}
      dirty={dirty}
      saving={saving}
      readOnly={form.shape.readOnly}
      hasNext={hasNext}
      saveLabel={saveLabel}
      onCancel={() => void navigate(home)}
      onEdit={isOnlyViewed ? () => leave(`${list}/${String(form.form.record.id)}`) : undefined}
    />,
  );
  const tabs = (
    <FormTabs definition={definition} record={form.form.record}>
      {page}
    </FormTabs>
  );
  return (
    <>
      {!isStored ? (
        page
      ) : !Beside ? (
        tabs
      ) : (
        <div className={styles.formBeside}>
          <div className={styles.formOwn}>{tabs}</div>
          <Beside definition={definition} record={form.form.record} />
        </div>
      )}
      {isStored && (
        <FormActions {...{ definition }} record={form.form.record} editing={dirty && !form.shape.readOnly} />
      )}
      <UnsavedChangesGuard guards={guards} saving={saving} save={saveAndLeave} />
      {dialog}
    </>
  );
}

import { Level } from '../../engine/definitions/level';
import Button from '@mui/material/Button';
import { CoreAdminContext, memoryStore } from 'react-admin';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { placeholderUserId, type Actor } from '../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { indexDefinitions } from '../../engine/registry/index-definitions';
import { requireValue } from '../../engine/values/lookups';
import { dataProvider } from '../data/dataProvider';
import { DefinitionsContext } from '../data/DefinitionsContext';
import { ErrorToasts, reportError } from '../data/ErrorToasts';
import { useMessages } from '../data/messages';
import { createQueryClient } from '../data/queryClient';
import { setDocumentTitle } from '../brand/productTitle';
import { Splash } from '../brand/Splash';
import { RecordForm } from '../form/RecordForm';
import { useResourceForm } from '../form/useResourceForm';
import { useSaving } from '../form/useSaving';
import { PageProvider } from '../layout/page';
import { Toasts } from '../layout/Toasts';
import { ApiClientContext } from '../session/apiClient';
import { usePath } from '../session/navigation';
import { FailedState } from '../states/FailedState';
import { useShared } from '../shared/useShared';
import { AppTheme } from '../theme/AppTheme';
import { parseFormPath } from './formPath';
import { createVisitorApi, loadForm, type OpenForm, type VisitorApi } from './visitorApi';
import * as styles from './public-form.module.css';

/** `/form/{key}`: the form of a resource for people without an account. */
export default function PublicFormPage() {
  const key = requireValue(parseFormPath(usePath()), 'the key in the address of a form');
  const {
    content: publicForm,
    failure,
    retry,
  } = useShared(useCallback((signal: AbortSignal) => loadForm(key, signal), [key]));
  useEffect(() => {
    if (publicForm !== undefined) setDocumentTitle(publicForm?.definition.titles.create ?? 'Form not found');
  }, [publicForm]);
  if (publicForm === undefined && !failure) return <Splash />;
  return (
    <AppTheme>
      <main className={styles.publicForm}>
        {failure ? (
          <FailedState title="The form could not be loaded" message={failure.message} onRetry={retry} />
        ) : publicForm ? (
          <VisitorForm key={key} address={key} {...publicForm} />
        ) : (
          <div role="alert" className={styles.publicNotice}>
            <h1>This form is not open</h1>
            <p>Its address was revoked, or is not complete. Ask whoever gave it to you for another one.</p>
          </div>
        )}
      </main>
    </AppTheme>
  );
}

function VisitorForm({ address, definition, honeypot }: OpenForm & { address: string }) {
  const [api] = useState(() => createVisitorApi(address, definition));
  const [confirmation, setConfirmation] = useState<string>();
  if (confirmation !== undefined)
    return (
      <div role="status" className={styles.publicNotice}>
        <h1>Sent</h1>
        <p>{confirmation}</p>
      </div>
    );
  return (
    <VisitorContexts definition={definition} api={api}>
      <FieldsOfForm {...{ definition, honeypot, api }} onSent={setConfirmation} />
    </VisitorContexts>
  );
}

interface FieldsOfFormProps {
  definition: Definition;
  honeypot: string;
  api: VisitorApi;
  onSent: (confirmation: string) => void;
}

const emptyRecord: ResourceRecord = {};

function FieldsOfForm({ definition, honeypot, api, onSent }: FieldsOfFormProps) {
  const trap = useRef<HTMLInputElement>(null);
  const form = useResourceForm(definition, 'create', emptyRecord, 'public');
  const send = async (values: ResourceRecord) => {
    const hidden = trap.current?.value ?? '';
    return { confirmation: await api.send(values, hidden === '' ? {} : { [honeypot]: hidden }) };
  };
  const {
    save,
    saving,
    alert,
    unsure: isUnsure,
  } = useSaving({
    form,
    send,
    onSaved: ({ confirmation }) => onSent(String(confirmation)),
    label: definition.titles.create,
  });
  return (
    <>
      <h1 className="unseen">{definition.titles.create}</h1>
      <RecordForm form={form} alert={alert} unsettledSave={isUnsure} onSave={save}>
        <input ref={trap} type="text" name="website" tabIndex={-1} autoComplete="off" aria-hidden hidden />
        <div className={styles.publicSend}>
          <p role="status">{form.wrong > 0 && `${form.wrong} of the fields need attention`}</p>
          <Button type="submit" variant="contained" size="large" aria-disabled={saving}>
            Send
          </Button>
        </div>
      </RecordForm>
    </>
  );
}

/** The contexts that the generic form needs, for a visitor who is not signed in. */
function VisitorContexts({
  definition,
  api,
  children,
}: {
  definition: Definition;
  api: VisitorApi;
  children: ReactNode;
}) {
  const [queryClient] = useState(() => createQueryClient(reportError));
  const [store] = useState(() => memoryStore());
  const i18nProvider = useMessages();
  const definitions = useMemo(() => {
    const actor: Actor = {
      // The company is that of the address, which the server knows.
      ...{ id: placeholderUserId, role_id: 0, level: Level.External, site_id: 0 },
      permissions: { [definition.name]: ['create'] },
    };
    return { registry: indexDefinitions([definition]), actor };
  }, [definition]);
  return (
    <MemoryRouter>
      <CoreAdminContext {...{ dataProvider, i18nProvider, queryClient, store }}>
        <ErrorToasts />
        <DefinitionsContext value={definitions}>
          <ApiClientContext value={api.ask}>
            <PageProvider>{children}</PageProvider>
          </ApiClientContext>
        </DefinitionsContext>
        <Toasts />
      </CoreAdminContext>
    </MemoryRouter>
  );
}

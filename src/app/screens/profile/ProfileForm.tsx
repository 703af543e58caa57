import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { UnsavedChangesGuard } from '../../form/UnsavedChangesGuard';
import { RecordForm } from '../../form/RecordForm';
import { useConcurrentChanges } from '../../form/useConcurrentChanges';
import { useResourceForm } from '../../form/useResourceForm';
import { useSaving } from '../../form/useSaving';
import { Icon } from '../../icons/Icon';
import { Initials } from '../../chips/Initials';
import { ApiError, fetchApi } from '../../session/api';
import { readSession, updateSession } from '../../session/session';
import { FormatChoices } from './FormatChoices';
import { ThemeChoices } from './ThemeChoices';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';
import { normalise } from '../../../engine/normalise/normalise';

/** The profile as a definition, so that its form is rendered and validated like those of records. */
export const profileDefinition = normalise({
  name: 'profile',
  labels: { one: 'Profile', many: 'Profiles' },
  scope: 'self',
  history: false,
  recordTitle: '{first_name} {last_name}',
  fields: {
    first_name: { type: 'text', required: true, maxLength: 100 },
    last_name: { type: 'text', required: true, maxLength: 100 },
    email: { type: 'email', readOnly: true },
    phone_number: { type: 'phone', maxLength: 15 },
    change_password: { type: 'boolean', label: 'Change password', width: 'full' },
    current_password: {
      type: 'password',
      required: { change_password: true },
      visible: { change_password: true },
      width: 'full',
    },
    new_password: {
      type: 'password',
      required: { change_password: true },
      visible: { change_password: true },
    },
    confirm_password: {
      type: 'password',
      required: { change_password: true },
      visible: { change_password: true },
      placeholder: 'Repeat the new password',
    },
  },
  form: {
    sections: [
      {
        label: 'You',
        description: 'How colleagues see you.',
        fields: ['first_name', 'last_name', 'email', 'phone_number'],
      },
      {
        label: 'Password',
        description: 'A change ends your other sign-ins and sends you an email.',
        fields: ['change_password', 'current_password', 'new_password', 'confirm_password'],
      },
    ],
  },
});

interface ProfileFormProps {
  /** The profile as it was last loaded. */
  record: ResourceRecord;
  /** Whether the profile is only shown, as while viewing as another user. */
  readOnly: boolean;
  onSaved: (record: ResourceRecord) => void;
}

const mismatchMessage = 'The two passwords do not match.';

/** The profile's form, and the theme, which applies at once. */
export function ProfileForm({ record, readOnly, onSaved }: ProfileFormProps) {
  const [first] = useState(record);
  const form = useResourceForm(profileDefinition, readOnly ? 'view' : 'edit', first, 'profile');
  const notify = useNotify();
  const queryClient = useQueryClient();
  const { dirty, values } = form.form;
  const unsaved = useRef(false);
  useEffect(() => {
    unsaved.current = dirty;
  }, [dirty]);
  const guards = useCallback(() => unsaved.current, []);

  const send = async (changes: ResourceRecord) => {
    if (values.change_password && values.new_password !== values.confirm_password) {
      throw new ApiError(422, mismatchMessage, { confirm_password: mismatchMessage });
    }
    const json = { ...changes, isProfile: 1 };
    return (await fetchApi<{ data: ResourceRecord }>(`/profile/${record.id}`, { method: 'PUT', json })).data;
  };
  const reload = async () => (await fetchApi<{ data: ResourceRecord }>(`/profile/${record.id}`)).data;
  const handleSaved = (storedProfile: ResourceRecord) => {
    notify('Updated Successfully', { type: 'success' });
    form.restart(storedProfile);
    onSaved(storedProfile);
    rememberName(storedProfile);
    void queryClient.invalidateQueries({ queryKey: ['me'] });
    void queryClient.invalidateQueries({ queryKey: ['sign-ins'] });
  };
  const {
    save,
    saving,
    alert,
    unsure: isUnsure,
    stale,
    settle,
  } = useSaving({
    form,
    send,
    reload,
    onSaved: handleSaved,
    label: 'Profile',
  });
  const { dialog, top } = useConcurrentChanges({ form, saving, stale, settle, latest: record });

  const name = `${String(record.first_name)} ${String(record.last_name)}`;
  const asides = {
    You: (
      <Box component="span" sx={{ display: 'block', mt: 3 }}>
        <Initials name={name} size={48} />
      </Box>
    ),
  };
  return (
    <div className={styles.profile} data-plain-switches="">
      <RecordForm
        form={{ ...form, shape: { ...form.shape, asides } }}
        alert={alert}
        unsettledSave={isUnsure}
        top={top}
        onSave={save}
      >
        <div className={formStyles.formSections}>
          <ThemeChoices />
          <FormatChoices />
        </div>
        {!readOnly && (
          <div className={formStyles.saveBar}>
            <p className={formStyles.saveWrong} role="status">
              {form.wrong > 0 && (
                <>
                  <Icon name="warning" />
                  {form.wrong === 1 ? '1 field needs attention' : `${form.wrong} fields need attention`}
                </>
              )}
            </p>
            {dirty && <span className={formStyles.saveDirty}>Unsaved changes</span>}
            <Button type="submit" variant="contained" size="large" aria-disabled={saving}>
              Update
            </Button>
          </div>
        )}
      </RecordForm>
      <UnsavedChangesGuard guards={guards} />
      {dialog}
    </div>
  );
}

/** Updates the name in the session that the browser stores. */
function rememberName({ first_name, last_name }: ResourceRecord): void {
  const session = readSession();
  if (!session) return;
  const [first, last] = [String(first_name), String(last_name)];
  updateSession({ user: { ...session.user, first_name: first, last_name: last, name: `${first} ${last}` } });
}

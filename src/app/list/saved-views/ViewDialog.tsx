import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Switch from '@mui/material/Switch';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { isAllowedOnRecord, isGranted } from '../../../engine/access/access-decision';
import { joinNames } from '../../../engine/formats/join-names';
import type { Definition, ViewSettings } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { Icon } from '../../icons/Icon';
import { ApiError } from '../../session/apiError';
import { type SavedView, viewError } from './useSavedViews';
import * as styles from './saved-views.module.css';

interface ViewDialogProps {
  definition: Definition;
  /** The settings that a new view keeps. */
  settings: ViewSettings;
  /** The view to rename or share; undefined: a new one. */
  record?: SavedView;
  onSaved: (view: SavedView) => void;
  onClose: () => void;
}

const audiences = [
  { value: 'me', label: 'Only me', note: 'Private', icon: 'lock' },
  { value: 'role', label: 'A role', note: 'Everyone of your company who has it', icon: 'user-check' },
  { value: 'everyone', label: 'Everyone', note: 'In your company', icon: 'external' },
] as const;
const sharedNote = 'Needs the right to share views';

/** Saves a view of the list under a name, or renames and shares one. */
export function ViewDialog({ definition, settings, record, onSaved, onClose }: ViewDialogProps) {
  const id = useId();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const mayShare = useMayShare(record);
  const [values, setValues] = useState({
    name: record?.name ?? '',
    audience: record?.audience ?? ('me' as SavedView['audience']),
    role_id: record?.role_id ?? null,
    pinned: record?.pinned ?? true,
  });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isSaving, setSaving] = useState(false);
  const roles = useRoles(values.audience === 'role');
  const set = (next: Partial<typeof values>) => setValues((current) => ({ ...current, ...next }));

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    if (values.name.trim() === '') return setErrors({ name: 'Name is required.' });
    if (values.audience === 'role' && values.role_id === null) return setErrors({ role_id: 'Role is required.' });
    setSaving(true);
    const { audience, role_id, ...otherValues } = values;
    // Only users who may share choose an audience; the values of others have none.
    const data = { ...otherValues, ...(mayShare && { audience, role_id: audience === 'role' ? role_id : null }) };
    try {
      const answer = record
        ? await dataProvider.update<SavedView>('views', {
            id: record.id,
            data: { ...data, updated_at: record.updated_at },
            previousData: record,
          })
        : await dataProvider.create<SavedView>('views', { data: { ...data, module: definition.name, settings } });
      await refreshAfterSaving(queryClient, 'views');
      onSaved(answer.data);
    } catch (error) {
      const fieldErrors = error instanceof ApiError ? error.errors : {};
      setErrors(Object.keys(fieldErrors).length > 0 ? fieldErrors : { form: viewError(error as Error).message });
      setSaving(false);
      void refreshAfterSaving(queryClient, 'views');
    }
  };
  const { name, role_id: role, ...rest } = errors;
  const [otherError] = Object.values(rest);
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={id}
      slotProps={{ paper: { sx: { width: 360, maxWidth: 'calc(100% - 32px)' } } }}
    >
      <form onSubmit={(event) => void save(event)} noValidate>
        <DialogTitle id={id} component="h2">
          {record ? 'Rename or share view' : 'Save as new view'}
        </DialogTitle>
        <DialogContent className={styles.viewForm}>
          {otherError && <Alert severity="error">{otherError}</Alert>}
          <div>
            <label htmlFor={`${id}-name`}>
              Name<b aria-hidden="true">*</b>
            </label>
            <OutlinedInput
              id={`${id}-name`}
              fullWidth
              autoFocus
              size="small"
              value={values.name}
              error={name !== undefined}
              onChange={(event) => set({ name: event.target.value })}
              inputProps={{
                maxLength: 60,
                'aria-required': true,
                'aria-describedby': name ? `${id}-problem` : undefined,
              }}
            />
            {name && (
              <p id={`${id}-problem`} className={styles.viewProblem} role="alert">
                {name}
              </p>
            )}
          </div>
          <fieldset className={styles.viewAudience}>
            <legend>Who sees it</legend>
            {audiences.map(({ value, label, note, icon }) => (
              <label key={value} data-chosen={values.audience === value || undefined}>
                <input
                  type="radio"
                  name={`${id}-audience`}
                  value={value}
                  checked={values.audience === value}
                  disabled={value !== 'me' && !mayShare}
                  onChange={() => set({ audience: value })}
                />
                <span>
                  <b>{label}</b>
                  <small>{value !== 'me' && !mayShare ? sharedNote : note}</small>
                </span>
                <Icon name={icon} />
              </label>
            ))}
          </fieldset>
          {values.audience === 'role' && (
            <div>
              <label id={`${id}-role`}>
                Role<b aria-hidden="true">*</b>
              </label>
              <Select
                fullWidth
                size="small"
                labelId={`${id}-role`}
                value={roles.some((candidate) => candidate.id === values.role_id) ? String(values.role_id) : ''}
                error={role !== undefined}
                onChange={({ target }) => set({ role_id: Number(target.value) })}
              >
                {roles.map((option) => (
                  <MenuItem key={option.id} value={String(option.id)}>
                    {option.role_name}
                  </MenuItem>
                ))}
              </Select>
              {role && (
                <p className={styles.viewProblem} role="alert">
                  {role}
                </p>
              )}
            </div>
          )}
          <label className={styles.viewSwitch}>
            <span>Pin as tab</span>
            <Switch checked={values.pinned} onChange={(_, isPinned) => set({ pinned: isPinned })} />
          </label>
          {!record && <p className={styles.viewKeeps}>{settingsWords(definition, settings)}</p>}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" aria-disabled={isSaving}>
            Save view
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Whether the user may share views, or this one. */
function useMayShare(record: SavedView | undefined): boolean {
  const { registry, actor } = useDefinitions();
  const views = registry.get('views');
  const evaluationContext = useEvaluationContext(views);
  if (!views) return false;
  const sharedView = { ...record, audience: 'everyone' };
  return (
    isAllowedOnRecord(actor, views, 'create', sharedView, evaluationContext) &&
    (!record || isAllowedOnRecord(actor, views, 'edit', record, evaluationContext))
  );
}

interface Role extends RaRecord<number> {
  readonly role_name: string;
}

function useRoles(enabled: boolean): readonly Role[] {
  const { actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const params = {
    pagination: { page: 1, perPage: 200 },
    sort: { field: 'role_name', order: 'ASC' as const },
    filter: {},
  };
  const { data } = useQuery({
    queryKey: ['roles', 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList<Role>('roles', { ...params, signal }),
    enabled: enabled && isGranted(actor, 'roles', 'list'),
  });
  return data?.data ?? [];
}

/** The settings that a view stores, in words: `The view has 2 filters, the order by Priority and the layout.` */
function settingsWords(
  { fields }: Definition,
  { filters = {}, sort, columns, group, totals, rows }: ViewSettings,
): string {
  const count = Object.keys(filters).length;
  const sortField = sort?.replace(/^-/, '');
  const parts = [
    ...(count > 0 ? [`${count} ${count === 1 ? 'filter' : 'filters'}`] : []),
    ...(sortField ? [`the order by ${fields[sortField]?.label ?? sortField}`] : []),
    ...(columns ? [`${columns.length} columns`] : []),
    ...(group ? ['the groups'] : []),
    ...(totals ? ['the totals'] : []),
    ...(rows ? [`${rows} rows a page`] : []),
    'the layout',
  ];
  return `The view has ${joinNames(parts)}. The search text is left out.`;
}

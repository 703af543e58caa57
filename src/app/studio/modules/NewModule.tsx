import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { usePage } from '../../layout/page';
import { fetchModules, moduleKeys } from '../api';
import { startModuleDraft } from '../draft/savedDraft';
import { LabelledInput } from '../properties/LabelledInput';
import { newModuleErrors, type NewModuleErrors } from './newModuleErrors';
import { FieldRow } from './FieldRow';
import { IconChoice } from './IconChoice';
import { NewModuleSummary } from './NewModuleSummary';
import { useCreateModule } from './useCreateModule';
import { useNewModuleForm } from './useNewModuleForm';
import { useNewModulePlan } from './useNewModulePlan';
import { moduleKey, labelledFields, buildDefinition, type NewModuleForm } from './newModuleForm';
import * as formStyles from '../../form/form.module.css';
import * as styles from './new-module.module.css';
import { itemAt } from '../../../engine/values/lookups';

/** The form of a new module: names and fields, with a summary of what the module will have. */
export default function NewModule() {
  const { actor } = useDefinitions();
  const navigate = useNavigate();
  const { wish: moduleForm, set, setField, addField, removeField } = useNewModuleForm();
  const [focused, setFocused] = useState<number | null>(null);
  const [isSubmitted, setSubmitted] = useState(false);
  const { data: modules } = useQuery({
    queryKey: moduleKeys.all,
    queryFn: ({ signal }) => fetchModules(signal),
    meta: { quiet: true },
  });
  usePage({ title: 'New module', back: { to: '/studio', label: 'Studio' } });
  const key = moduleKey(moduleForm.plural);
  const source = key !== '' && labelledFields(moduleForm.fields).length > 0 ? buildDefinition(moduleForm) : null;
  const plan = useNewModulePlan(source);
  const { creating, refused: serverErrors, create } = useCreateModule();
  const existingModule = modules?.find(({ name }) => name === key);
  const errors = newModuleErrors(moduleForm, { plan: source && plan, serverErrors, existingModule, isSubmitted });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    const missingCount = newModuleErrors(moduleForm, {
      plan: null,
      serverErrors: null,
      existingModule,
      isSubmitted: true,
    }).count;
    if (source && missingCount === 0 && !creating) void create(source);
  };
  const onNext = (id: number) => {
    const index = moduleForm.fields.findIndex((field) => field.id === id);
    const following = moduleForm.fields[index + 1];
    if (itemAt(moduleForm.fields, index).label.trim() === '') document.getElementById('create-module')?.focus();
    else setFocused(following && following.label.trim() === '' ? following.id : addField(id));
  };
  const openInEditor = () => {
    if (!source) return setSubmitted(true);
    startModuleDraft(actor.id, source);
    void navigate(`/studio/${source.name}`);
  };
  return (
    <form className={styles.wish} onSubmit={submit} noValidate>
      <div className={styles.wishBody}>
        <div className={styles.wishMain}>
          <ModuleNames {...{ moduleForm, errors, set }} />
          <section>
            <h2>Fields</h2>
            <Box
              component="ul"
              sx={{ display: 'grid', gap: 2, mt: 0, mx: 0, mb: 3, p: 0, listStyle: 'none' }}
              aria-label="Fields"
            >
              {moduleForm.fields.map((field, index) => (
                <FieldRow
                  key={field.id}
                  field={field}
                  number={index + 1}
                  focused={field.id === focused}
                  error={errors.fields.get(field.id)}
                  onChange={(change) => setField(field.id, change)}
                  onNext={() => onNext(field.id)}
                  onRemove={() => removeField(field.id)}
                />
              ))}
            </Box>
            {errors.noFields && (
              <Box component="p" sx={{ mb: 3, color: 'var(--urgent-t)', fontSize: 12 }}>
                {errors.noFields}
              </Box>
            )}
            <Button
              variant="outlined"
              startIcon={<Icon name="plus" />}
              onClick={() => setFocused(addField(moduleForm.fields.at(-1)?.id ?? 0))}
            >
              Add field
            </Button>
          </section>
        </div>
        <NewModuleSummary form={moduleForm} />
      </div>
      <div className={`${formStyles.saveBar} ${styles.wishBar}`}>
        <p className={formStyles.saveWrong} role="status">
          {errors.rest && (
            <>
              <Icon name="warning" />
              {errors.rest}
            </>
          )}
        </p>
        <Button variant="outlined" size="large" onClick={() => void navigate('/studio')}>
          Cancel
        </Button>
        <Button variant="outlined" size="large" onClick={openInEditor}>
          Open in the editor
        </Button>
        <Button id="create-module" type="submit" variant="contained" size="large" aria-disabled={creating}>
          Create module
        </Button>
      </div>
    </form>
  );
}

interface ModuleNamesProps {
  moduleForm: NewModuleForm;
  errors: NewModuleErrors;
  set: (change: Partial<NewModuleForm>) => void;
}

/** The names, the icon and the place in the menu of the new module. */
function ModuleNames({ moduleForm, errors, set }: ModuleNamesProps) {
  const { registry } = useDefinitions();
  const groups = [...new Set([...registry.definitions.values()].flatMap(({ menu }) => menu?.group ?? []))].sort();
  const key = moduleKey(moduleForm.plural);
  const stay = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    // Enter in a name does not submit the form: it moves to the fields.
    event.preventDefault();
    document.querySelector<HTMLInputElement>(`.${styles.wishField} input`)?.focus();
  };
  return (
    <section>
      <h2>Module</h2>
      <div className={styles.wishNames}>
        <NameInput
          label="Singular name"
          placeholder="Vehicle"
          autoFocus
          value={moduleForm.singular}
          error={errors.singular}
          onChange={(singular) => set({ singular })}
          onKeyDown={stay}
        />
        <NameInput
          label="Plural name"
          placeholder="Vehicles"
          value={moduleForm.plural}
          error={errors.plural}
          hint={key && `Key: ${key}`}
          onChange={(plural) => set({ plural })}
          onKeyDown={stay}
        />
        <LabelledInput label="Icon">
          {({ id }) => <IconChoice id={id} icon={moduleForm.icon} onPick={(icon) => set({ icon })} />}
        </LabelledInput>
        <LabelledInput label="Menu group" error={errors.menu}>
          {({ id }) => (
            <Autocomplete
              freeSolo
              id={id}
              options={groups}
              inputValue={moduleForm.group}
              onInputChange={(_, group) => set({ group })}
              renderInput={({ slotProps, id: inputId }) => (
                <OutlinedInput
                  id={inputId}
                  fullWidth
                  ref={slotProps.input.ref}
                  slotProps={{ input: { ...slotProps.htmlInput, maxLength: 60 } }}
                />
              )}
            />
          )}
        </LabelledInput>
      </div>
    </section>
  );
}

interface NameInputProps {
  label: string;
  placeholder: string;
  autoFocus?: boolean;
  value: string;
  error: string | undefined;
  hint?: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** One of the two names of the module. */
function NameInput({ label, placeholder, autoFocus = false, value, error, hint, onChange, onKeyDown }: NameInputProps) {
  return (
    <LabelledInput label={label} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          fullWidth
          autoFocus={autoFocus}
          autoComplete="off"
          placeholder={placeholder}
          value={value}
          error={error !== undefined}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          slotProps={{ input: { 'aria-describedby': describedBy, 'aria-required': true, maxLength: 60 } }}
        />
      )}
    </LabelledInput>
  );
}

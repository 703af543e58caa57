import Button from '@mui/material/Button';
import { useId, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import type { FormSection as Section } from '../../engine/forms/form-fields';
import { isEmpty } from '../../engine/values/is-empty';
import { inputOf } from '../fields/inputs';
import { Icon } from '../icons/Icon';
import { useFormContext } from './FormContext';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './form.module.css';

const FoldedValues = lazyComponent(() => import('./FoldedValues'));

interface FormSectionProps {
  /** With its visible fields. */
  section: Section;
  values: ResourceRecord;
  /** The inputs by the names of their fields. */
  contents: ReadonlyMap<string, ReactNode>;
  /** The form has a rail, and its sections no headings beside their fields. */
  hasRail: boolean;
}

/** A section of a form: its heading, its fields, and the buttons of those that are shown on demand. */
export function FormSection({ section, values, contents, hasRail }: FormSectionProps) {
  const id = useId();
  const { asides, titleField } = useFormContext();
  const { isOpen, wasOpened, setOpen } = useFold(section, values);
  const { shownFields, buttons } = useShownFields(section, values);
  const singleField = section.fields.length === 1 ? section.fields[0] : undefined;
  const Aside = singleField && inputOf(singleField).Aside;
  const { label, description } = section;
  return (
    <section
      className={styles.formSection}
      aria-labelledby={id}
      data-plain={(hasRail && !section.folded) || undefined}
      data-folding={section.folded || undefined}
    >
      {section.folded ? (
        <h2 className={styles.formFold}>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={16} />
            <span id={id}>{label}</span>{' '}
            <small>{isOpen ? description : <FoldedValues fields={section.fields} values={values} />}</small>
          </button>
        </h2>
      ) : (
        <div className={styles.formPurpose}>
          <h2 id={id}>{label}</h2>
          {description && <p>{description}</p>}
          {Aside && <Aside />}
          {asides?.[label]}
        </div>
      )}
      {/* Folded again, it keeps what is typed and uploaded in it. */}
      {wasOpened && (
        <div className={styles.formFields} hidden={!isOpen}>
          <div className={styles.formGrid}>
            {shownFields.map((field) => (
              <div
                key={field.name}
                className={styles.field}
                data-field={field.name}
                data-width={field.width}
                data-title={(hasRail && field.name === titleField) || undefined}
              >
                {contents.get(field.name)}
              </div>
            ))}
          </div>
          {buttons}
        </div>
      )}
    </section>
  );
}

/**
 * Whether a section is open: one that is folded opens as soon as a field has another value than in a new record, needs one,
 * or has a fault.
 */
function useFold({ folded: isFolding, rail, fields }: Section, values: ResourceRecord) {
  const { fieldContext, isBegun } = useFormContext();
  const hasFault = fields.some((field) => fieldContext(field).error !== undefined);
  const isNeeded =
    !isFolding ||
    fields.some(
      (field) =>
        (!rail && !isEmpty(values[field.name]) && !isBegun(field)) ||
        (fieldContext(field).state.required && isEmpty(values[field.name])),
    );
  const [isOpen, setOpen] = useState(isNeeded);
  const [pastState, setPastState] = useState({ isNeeded, hasFault });
  if (pastState.isNeeded !== isNeeded || pastState.hasFault !== hasFault) {
    setPastState({ isNeeded, hasFault });
    // It stays open when the value is removed again, or the fault.
    if ((isNeeded && !pastState.isNeeded) || hasFault) setOpen(true);
  }
  // In a window where it folds no more, it cannot be opened by its heading.
  const isShown = isOpen || !isFolding;
  const [wasOpened, setWasOpened] = useState(isShown);
  if (isShown && !wasOpened) setWasOpened(true);
  return { isOpen: isShown, wasOpened, setOpen };
}

/**
 * The fields that a section shows, and buttons for the others. Fields on demand and alternatives are shown as soon as they
 * have a value or a fault, and stay; without any value the first alternative is shown.
 */
function useShownFields({ label, fields, onDemand = [], alternatives = [] }: Section, values: ResourceRecord) {
  const { fieldContext, readOnly, focus } = useFormContext();
  const [openedNames, setOpenedNames] = useState<ReadonlySet<string>>(new Set());
  const groups = alternatives
    .map((alternative) => ({
      label: alternative.label,
      fields: fields.filter(({ name }) => alternative.fields.includes(name)),
    }))
    .filter((group) => group.fields.length > 0);
  const isNeeded = (field: Field) => !isEmpty(values[field.name]) || fieldContext(field).error !== undefined;
  const isOptional = (field: Field) =>
    onDemand.includes(field.name) || groups.some((group) => group.fields.includes(field));
  const neededNames = fields.filter((field) => isOptional(field) && isNeeded(field)).map(({ name }) => name);
  if (neededNames.some((name) => !openedNames.has(name))) setOpenedNames(new Set([...openedNames, ...neededNames]));
  const isOpened = ({ name }: Field) => openedNames.has(name) || neededNames.includes(name);
  const [showsFirst, setShowsFirst] = useState(() => !groups.some((group) => group.fields.some(isNeeded)));
  const firstGroup = showsFirst ? groups[0] : undefined;
  const isShown = (field: Field) =>
    !isOptional(field) || isOpened(field) || firstGroup?.fields.includes(field) === true;
  const show = (next: ReadonlySet<string>, field: Field | undefined, hasFirst = showsFirst) => {
    flushSync(() => {
      setOpenedNames(next);
      setShowsFirst(hasFirst);
    });
    if (field) focus(field.name);
  };
  const hiddenFields = fields.filter(
    (field) => !isShown(field) && onDemand.includes(field.name) && !fieldContext(field).state.readOnly,
  );
  const otherGroups = groups.filter((group) => !group.fields.some(isShown));
  const buttons = !readOnly && hiddenFields.length + otherGroups.length > 0 && (
    <div className={styles.formDemand} role="group" aria-label={`${label}: more fields`}>
      {hiddenFields.length > 0 && <span>Also</span>}
      {hiddenFields.map((field) => (
        <Button
          key={field.name}
          variant="outlined"
          size="small"
          startIcon={<Icon name="plus" size={14} />}
          onClick={() => show(new Set([...openedNames, field.name]), field)}
        >
          {field.label}
        </Button>
      ))}
      {otherGroups.map((group) => (
        <Button
          key={group.label}
          variant="text"
          size="small"
          color="inherit"
          onClick={() => {
            // The text of the others stays.
            const otherNames = groups.flatMap((alternative) => alternative.fields.map(({ name }) => name));
            const keptNames = [...openedNames].filter(
              (name) => !otherNames.includes(name) || neededNames.includes(name),
            );
            const names = group.fields.map(({ name }) => name);
            show(new Set([...keptNames, ...names]), group.fields[0], group.label === groups[0]?.label);
          }}
        >
          {group.label}
        </Button>
      ))}
    </div>
  );
  return { shownFields: fields.filter(isShown), buttons };
}

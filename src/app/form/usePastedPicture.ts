import { useEffect, useEffectEvent, type RefObject } from 'react';
import { useNotify } from 'react-admin';
import { decideAccess } from '../../engine/access/access-decision';
import { propertyOf } from '../../engine/values/lookups';
import type { Actor } from '../../engine/access/actor';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { withArticle } from '../fields/choices/choiceTexts';
import { useDefinitions } from '../data/DefinitionsContext';
import { inputOf } from '../fields/inputs';
import { useOwnerDocument } from '../layout/FramedContext';
import type { ResourceFormState } from './useResourceForm';

/** The mounted forms, latest last: a picture pasted outside of all of them goes to the latest. */
const openForms: RefObject<HTMLElement | null>[] = [];

/**
 * Handles pictures pasted anywhere in a form: they go into its picture field, an empty one first. Without such a field
 * a toast says where pictures can be pasted. A paste that includes text is left to editors.
 */
export function usePastedPicture(frame: RefObject<HTMLElement | null>, form: ResourceFormState): void {
  const page = useOwnerDocument();
  const notify = useNotify();
  const { registry, actor } = useDefinitions();
  const { definition, fields } = form.model;

  const take = useEffectEvent((event: ClipboardEvent) => {
    const picture = isForThisForm(event, frame) && pastedPicture(event);
    if (!picture) return;
    const pictures = fields.filter((field) => takesFiles(field) && form.states[field.name]?.visible);
    const [field] = pictures
      .filter(({ name }) => !propertyOf(form.states, name).readOnly)
      .sort((left, right) => Number(isFilled(form, left)) - Number(isFilled(form, right)));
    event.preventDefault();
    event.stopPropagation();
    if (!field) {
      const words = pictures[0]
        ? `${pictures[0].label} cannot be changed here.`
        : `There is no field for a picture here.${pictureFieldHint(definition, registry, actor)}`;
      return notify(words, { type: 'info', messageArgs: { _: words } });
    }
    const { fileProblem, withFile } = inputOf(field);
    const problem = fileProblem?.(picture, field);
    const value = withFile?.(form.form.values[field.name], picture) ?? picture;
    form.paste(field, problem === undefined ? value : undefined, problem);
    page.getElementById(`${form.idPrefix}_${field.name}-label`)?.scrollIntoView?.({ block: 'nearest' });
  });

  useEffect(() => {
    openForms.push(frame);
    const listener = (event: ClipboardEvent) => take(event);
    // In the capture phase, before an editor drops the picture.
    page.addEventListener('paste', listener, true);
    return () => {
      openForms.splice(openForms.indexOf(frame), 1);
      page.removeEventListener('paste', listener, true);
    };
  }, [frame, page]);
}

/** Names fields that take a picture: of resources that reference this one, else of any that the user may create. */
function pictureFieldHint({ name }: Definition, registry: Registry, actor: Actor): string {
  const pictureTargets = [...registry.definitions.values()].flatMap((definition) =>
    decideAccess(actor, definition, 'create').allowed
      ? pictureFields(definition).map((field) => ({ definition, field }))
      : [],
  );
  const relatedTargets = pictureTargets.filter(({ definition }) =>
    Object.values(definition.fields).some((field) => field.to === name),
  );
  const namedTargets = (relatedTargets.length > 0 ? relatedTargets : pictureTargets).slice(0, 2);
  if (namedTargets.length === 0) return '';
  return ` Paste it into ${namedTargets.map(({ definition, field }) => `${field.label} of ${withArticle(definition.labels.one)}`).join(' or ')}.`;
}

/** The pasted picture, unless the clipboard also has text. */
function pastedPicture({ clipboardData }: ClipboardEvent): File | undefined {
  if (!clipboardData || clipboardData.getData('text/plain') !== '') return undefined;
  return [...clipboardData.files].find(({ type }) => type.startsWith('image/'));
}

/**
 * Whether a paste belongs to this form: within it, or outside of all forms and this is the latest. A picture field
 * handles its own.
 */
function isForThisForm({ target }: ClipboardEvent, frame: RefObject<HTMLElement | null>): boolean {
  const element = target as Element | null;
  if (element?.closest?.('[data-picture]')) return false;
  if (frame.current?.contains(element)) return true;
  return (
    openForms.at(-1) === frame && !openForms.some(({ current }) => current?.contains(element)) && !isTextInput(element)
  );
}

/** A separate text box, such as a search, is not part of a form. */
function isTextInput(element: Element | null): boolean {
  return element?.matches?.('input, textarea, [contenteditable]') ?? false;
}

function pictureFields({ fields, form }: Definition): Field[] {
  const formFields = new Set(form.sections.flatMap((section) => section.fields));
  return Object.values(fields).filter((field) => takesFiles(field) && formFields.has(field.name));
}

function takesFiles(field: Field): boolean {
  return inputOf(field).fileProblem !== undefined;
}

function isFilled(form: ResourceFormState, { name }: Field): boolean {
  const value = form.form.values[name];
  return value !== undefined && value !== null && value !== '' && !Array.isArray(value);
}

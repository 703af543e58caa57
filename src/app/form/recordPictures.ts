import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FieldState } from '../../engine/forms/field-states';
import type { PicturesOfRecord } from '../fields/fieldType';
import { fileFields, filesIn, isShownPicture } from '../../engine/field-types/stored-files';
import { isFiles } from '../../engine/field-types/files';

/** The pictures among the files in a form, and what adds one: to the first field of several files that takes pictures. */
export function recordPictures(
  definition: Definition,
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
  set: (name: string, change: (files: readonly unknown[]) => readonly unknown[]) => void,
): PicturesOfRecord {
  const fields = fileFields(definition);
  const into = fields.find(
    (field) =>
      isFiles(field) &&
      field.accept.some((kind) => kind === '*/*' || kind.startsWith('image/')) &&
      states[field.name]?.visible &&
      !states[field.name]!.readOnly,
  );
  return {
    known: fields.flatMap(({ name }) => filesIn(values[name])).filter(isShownPicture),
    ...(into && {
      add: async (file) => {
        const { namedPicture } = await import('./namedPicture');
        const named = namedPicture(
          file,
          fields.flatMap(({ name }) => filesIn(values[name])).map(({ name }) => name),
        );
        set(into.name, (files) => [...files, named]);
        return named.name;
      },
    }),
  };
}

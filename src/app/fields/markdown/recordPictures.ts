import { isFiles } from '../../../engine/field-types/files';
import { fileFields, filesIn, isShownPicture } from '../../../engine/field-types/stored-files';
import { propertyOf } from '../../../engine/values/lookups';
import type { RecordInForm } from '../fieldType';
import { pictureName } from '../../../engine/formats/markdown';

/** The pictures that texts of a record can show: those among its files. */
export interface PicturesOfRecord {
  /** With the address of each, unless it is still being uploaded. */
  readonly knownPictures: readonly { readonly name: string; readonly url?: string }[];
  /** Adds a picture to the files, and answers its name there; undefined where there can be none. */
  readonly add?: (file: File) => string;
}

/** The pictures among the files in a form; one is added to the first field of several files that takes pictures. */
export function recordPictures(recordInForm: RecordInForm | undefined): PicturesOfRecord | undefined {
  if (!recordInForm) return undefined;
  const { definition, states, form, change } = recordInForm;
  const fields = fileFields(definition);
  const filesNow = () => fields.flatMap(({ name }) => filesIn(form.current()[name]));
  const targetField = fields.find(
    (field) =>
      isFiles(field) &&
      field.accept.some((kind) => kind === '*/*' || kind.startsWith('image/')) &&
      states[field.name]?.visible &&
      !propertyOf(states, field.name).readOnly,
  );
  return {
    knownPictures: fields.flatMap(({ name }) => filesIn(form.values[name])).filter(isShownPicture),
    ...(targetField && {
      add: (file) => {
        const picture = namedPicture(
          file,
          filesNow().map(({ name }) => name),
        );
        const values = form.current();
        change({
          ...values,
          [targetField.name]: [...((values[targetField.name] as unknown[] | undefined) ?? []), picture],
        });
        return picture.name;
      },
    }),
  };
}

/**
 * A picture under a name that texts can show it by and no other file has: pasted ones are all called image.png.
 *
 * @example namedPicture(file, ['image.png']).name; // 'image-2.png'
 */
function namedPicture(file: File, usedNames: readonly string[]): File {
  const extension = file.type.replace('image/', '').replace('jpeg', 'jpg');
  const base = pictureName(file.name.replace(/\.\w+$/, '')).slice(0, 100) || 'image';
  let name = `${base}.${extension}`;
  for (let number = 2; usedNames.includes(name); number++) name = `${base}-${number}.${extension}`;
  return new File([file], name, { type: file.type });
}

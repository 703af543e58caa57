import { list } from '../key';
import { fieldName, keyword } from '../names';
import { typeKeys } from './type-keys';

export const shareLink = typeKeys({
  required: ['path'],
  keys: {
    path: keyword({
      label: 'Path of the link',
      help: "shareLink: the first step of the application's path that shows the record, before the link's token: `testcase` for `/testcase/{token}`.",
    }),
    sharedFields: list(fieldName(), {
      label: 'Shown to visitors',
      options: 'sharable',
      unique: true,
      help: "shareLink: the fields shown to anyone with the link, in this order, besides the record's title; related records by title only. Default: only the title.",
    }),
  },
});

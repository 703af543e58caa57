import { usePage } from '../../../src/app/layout/page';

/** Soon. */
export default function NewModule() {
  usePage({ title: 'Studio' });
  return null;
}

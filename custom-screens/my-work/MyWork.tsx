import { PageOfTiles } from '../../src/app/screens/pages/PageOfTiles';

/** The id of the page in `resources/rows/pages.json`. */
const myWork = 1;

/** The reader's assignments, mentions, due tasks and entries to run: a page that comes with the product. */
export default function MyWork() {
  return <PageOfTiles id={myWork} />;
}

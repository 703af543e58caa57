import { selectProduct, type BrowserProduct } from '../../../src/app/product';

/** Opens pages as a server sends them that runs a product; by default one of definitions alone. */
export function runProduct(product?: BrowserProduct, title = 'Assay', name = product?.name ?? 'other'): void {
  setMeta('product', name);
  setMeta('application-name', title);
  setMeta('password-policy', 'rule');
  selectProduct(product ? [product] : []);
}

/** Sets what the server writes into its page, for the tests that follow. */
export function setMeta(name: string, content: string): void {
  const found = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  const meta = found ?? document.head.appendChild(document.createElement('meta'));
  Object.assign(meta, { name, content });
}

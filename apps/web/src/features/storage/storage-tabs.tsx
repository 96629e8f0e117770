import { Link } from '@tanstack/react-router';
import { PAGE_TAB, PageTabs } from '../../shell/page-tabs.tsx';

/** The pages of what is stored. */
export function StorageTabs() {
  return (
    <div className="mb-6">
      <PageTabs label="Storage">
        <Link to="/storage" activeOptions={{ exact: true, includeSearch: false }} className={PAGE_TAB}>
          Files
        </Link>
        <Link to="/storage/buckets" className={PAGE_TAB}>
          Buckets
        </Link>
        <Link to="/storage/keys" className={PAGE_TAB}>
          Access keys
        </Link>
        <Link to="/storage/trash" className={PAGE_TAB}>
          Trash
        </Link>
      </PageTabs>
    </div>
  );
}

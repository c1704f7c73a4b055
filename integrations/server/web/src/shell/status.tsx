// Waiting and failing, said the same way everywhere.

import type { ReactNode } from "react";

export function Loading({ what }: { what: string }) {
  return (
    <p className="muted loading" role="status">
      Loading {what} …
    </p>
  );
}

export function Failed({ children, retry }: { children: ReactNode; retry?: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <p>{children}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty muted">{children}</p>;
}

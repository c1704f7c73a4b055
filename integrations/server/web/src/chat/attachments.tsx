// Images that go with the next message.

import type { FileUIPart } from "ai";

export function Attachments({ files, onChange }: { files: FileUIPart[]; onChange: (files: FileUIPart[]) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className="attachments" aria-label="Attached images">
      {files.map((file, index) => (
        <li key={index}>
          <img src={file.url} alt={file.filename ?? `Image ${index + 1}`} />
          <button type="button" className="small" onClick={() => onChange(files.filter((other) => other !== file))}>
            Remove<span className="visually-hidden"> {file.filename ?? `image ${index + 1}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The files as `data:` URLs: the server takes no addresses. */
export async function readFiles(list: FileList | null): Promise<FileUIPart[]> {
  return Promise.all(
    Array.from(list ?? [], async (file): Promise<FileUIPart> => {
      const url = await new Promise<string>((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
        reader.readAsDataURL(file);
      });
      return { type: "file", mediaType: file.type, filename: file.name, url };
    }),
  );
}

import { Download } from 'lucide-react';
import { saveBlob } from '../../lib/save-blob.ts';
import { CodeFile } from '../../ui/code-file.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { codeFileName } from './code-file-name.ts';

export interface AnswerCodeProps {
  /** In lower case; '' where the answer says none. */
  language: string;
  code: string;
}

/** Code of an answer under its language, to copy and, where it is a file, to download. */
export function AnswerCode({ language, code }: AnswerCodeProps) {
  return (
    <CodeFile
      path={language === '' ? 'text' : language}
      contents={code}
      action={<DownloadCode language={language} code={code} />}
      role="group"
      className="max-h-none!"
    />
  );
}

function DownloadCode({ language, code }: AnswerCodeProps) {
  const name = codeFileName(language, code);
  if (name === undefined) return null;
  const label = `Download ${name}`;
  const save = () => saveBlob(new Blob([code, '\n'], { type: 'text/plain' }), name);
  return (
    <IconButton label={label} title={label} size="sm" onClick={save}>
      <Download />
    </IconButton>
  );
}

// @huggingface/hub as the reference: the same requests as hf_client.py takes, as one JSON argument.
import { commit, createBranch, createRepo } from "@huggingface/hub";
import { readFileSync } from "node:fs";

const asked = JSON.parse(process.argv[2]);
const common = { repo: { type: "kernel", name: asked.repo }, accessToken: asked.token, hubUrl: asked.endpoint };

async function unlessThere(action) {
  try {
    await action();
  } catch (error) {
    if (error.statusCode !== 409) throw error;
  }
}

await unlessThere(() => createRepo(common));
await unlessThere(() => createBranch({ ...common, branch: asked.branch }));
const added = Object.entries(asked.files).map(([path, source]) => ({
  operation: "addOrUpdate", path, content: new Blob([readFileSync(source)]),
}));
const deleted = (asked.delete ?? []).map((path) => ({ operation: "delete", path }));
await commit({
  ...common, branch: asked.branch, title: "reference", useXet: false, operations: [...added, ...deleted],
  isPullRequest: asked.pull_request ?? false,
});

"""huggingface_hub as the reference: does to a repository what its arguments say, one JSON object.

    {"endpoint", "token", "repo", "folder", "branch", "delete": [paths], "pull_request": bool}
"""

import json
import sys

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi


def main():
    asked = json.loads(sys.argv[1])
    api = HfApi(endpoint=asked["endpoint"], token=asked["token"])
    common = {"repo_id": asked["repo"], "repo_type": "kernel"}
    api.create_repo(**common, exist_ok=True)
    api.create_branch(**common, branch=asked["branch"], exist_ok=True)
    if asked.get("upload_folder"):
        api.upload_folder(**common, folder_path=asked["folder"], path_in_repo="build", revision=asked["branch"])
        return
    operations = [CommitOperationAdd(path, source) for path, source in asked["files"].items()]
    operations += [CommitOperationDelete(path) for path in asked.get("delete", [])]
    api.create_commit(**common, operations=operations, commit_message="reference", revision=asked["branch"],
                      create_pr=asked.get("pull_request", False))


main()

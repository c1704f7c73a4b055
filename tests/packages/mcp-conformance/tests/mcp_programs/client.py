"""Lists the tools of a server and calls some, with the official client. It prints what it received.

client.py <version: legacy or auto> <calls as JSON: [[name, arguments]]> <address, or program and its arguments>
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


def plain(value):
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def main():
    _, version, calls, server, *arguments = sys.argv
    if not server.startswith("http:"):
        server = StdioServerParameters(command=server, args=arguments)
    async with Client(server, mode=version) as client:
        tools = (await client.list_tools()).tools
        results = [await client.call_tool(name, given) for name, given in json.loads(calls)]
    print(json.dumps({"tools": [plain(tool) for tool in tools], "results": [plain(result) for result in results]}))


asyncio.run(main())

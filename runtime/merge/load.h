/* SPDX-License-Identifier: Apache-2.0
 *
 * libclang, loaded when it is needed and into this process alone: OpenCL drivers bring an LLVM of
 * their own, and two in one process do not get along.
 */
#pragma once

#include <clang-c/Index.h>

#include "runtime/host/error.h"

/* Without the "clang_" before each. */
#define CB_CLANG_FUNCTIONS(X)                                                                      \
    X(Cursor_Evaluate)                                                                             \
    X(EvalResult_dispose)                                                                          \
    X(EvalResult_getAsLongLong)                                                                    \
    X(EvalResult_getKind)                                                                          \
    X(Cursor_getArgument)                                                                          \
    X(Cursor_getNumArguments)                                                                      \
    X(getResultType)                                                                               \
    X(Cursor_isNull)                                                                               \
    X(createIndex)                                                                                 \
    X(disposeDiagnostic)                                                                           \
    X(disposeIndex)                                                                                \
    X(disposeString)                                                                               \
    X(disposeTranslationUnit)                                                                      \
    X(equalCursors)                                                                                \
    X(equalTypes)                                                                                  \
    X(getAddressSpace)                                                                             \
    X(getPointeeType)                                                                              \
    X(isDeclaration)                                                                               \
    X(isConstQualifiedType)                                                                        \
    X(Type_visitFields)                                                                            \
    X(getArrayElementType)                                                                         \
    X(getArraySize)                                                                                \
    X(getCString)                                                                                  \
    X(getCanonicalType)                                                                            \
    X(getCursorExtent)                                                                             \
    X(getCursorKind)                                                                               \
    X(getCursorLocation)                                                                           \
    X(getCursorReferenced)                                                                         \
    X(getCursorSpelling)                                                                           \
    X(getCursorType)                                                                               \
    X(getDiagnostic)                                                                               \
    X(getDiagnosticLocation)                                                                       \
    X(getDiagnosticSeverity)                                                                       \
    X(getDiagnosticSpelling)                                                                       \
    X(getExpansionLocation)                                                                        \
    X(getFile)                                                                                     \
    X(getNullCursor)                                                                               \
    X(getNumDiagnostics)                                                                           \
    X(getRangeEnd)                                                                                 \
    X(getRangeStart)                                                                               \
    X(getSkippedRanges)                                                                            \
    X(disposeSourceRangeList)                                                                      \
    X(getTranslationUnitCursor)                                                                    \
    X(getTypeSpelling)                                                                             \
    X(isCursorDefinition)                                                                          \
    X(parseTranslationUnit2)                                                                       \
    X(Cursor_getOffsetOfField)                                                                     \
    X(Cursor_isBitField)                                                                           \
    X(Type_getAlignOf)                                                                             \
    X(Type_getSizeOf)                                                                              \
    X(Type_getValueType)                                                                           \
    X(getElementType)                                                                              \
    X(getEnumDeclIntegerType)                                                                      \
    X(getNumElements)                                                                              \
    X(getTypeDeclaration)                                                                          \
    X(visitChildren)

#define CB_CLANG_POINTER(name) __typeof__(&clang_##name) name;
struct cb_clang {
    CB_CLANG_FUNCTIONS(CB_CLANG_POINTER)
};
extern struct cb_clang cb_clang;

/* Loads the library that this program was built with. CB_UNSUPPORTED: it is not there. */
enum cb_status cb_clang_load(struct cb_err *err);

#define clang_Cursor_isNull            cb_clang.Cursor_isNull
#define clang_createIndex              cb_clang.createIndex
#define clang_disposeDiagnostic        cb_clang.disposeDiagnostic
#define clang_disposeIndex             cb_clang.disposeIndex
#define clang_disposeString            cb_clang.disposeString
#define clang_disposeTranslationUnit   cb_clang.disposeTranslationUnit
#define clang_equalTypes               cb_clang.equalTypes
#define clang_Type_visitFields         cb_clang.Type_visitFields
#define clang_equalCursors             cb_clang.equalCursors
#define clang_getAddressSpace          cb_clang.getAddressSpace
#define clang_getPointeeType           cb_clang.getPointeeType
#define clang_isDeclaration            cb_clang.isDeclaration
#define clang_isConstQualifiedType     cb_clang.isConstQualifiedType
#define clang_getArrayElementType      cb_clang.getArrayElementType
#define clang_getArraySize             cb_clang.getArraySize
#define clang_getCString               cb_clang.getCString
#define clang_getCanonicalType         cb_clang.getCanonicalType
#define clang_getCursorExtent          cb_clang.getCursorExtent
#define clang_getCursorKind            cb_clang.getCursorKind
#define clang_getCursorLocation        cb_clang.getCursorLocation
#define clang_getCursorReferenced      cb_clang.getCursorReferenced
#define clang_getCursorSpelling        cb_clang.getCursorSpelling
#define clang_getCursorType            cb_clang.getCursorType
#define clang_getDiagnostic            cb_clang.getDiagnostic
#define clang_getDiagnosticLocation    cb_clang.getDiagnosticLocation
#define clang_getDiagnosticSeverity    cb_clang.getDiagnosticSeverity
#define clang_getDiagnosticSpelling    cb_clang.getDiagnosticSpelling
#define clang_getExpansionLocation     cb_clang.getExpansionLocation
#define clang_getFile                  cb_clang.getFile
#define clang_getNullCursor            cb_clang.getNullCursor
#define clang_getNumDiagnostics        cb_clang.getNumDiagnostics
#define clang_getRangeEnd              cb_clang.getRangeEnd
#define clang_getRangeStart            cb_clang.getRangeStart
#define clang_getSkippedRanges         cb_clang.getSkippedRanges
#define clang_disposeSourceRangeList   cb_clang.disposeSourceRangeList
#define clang_getTranslationUnitCursor cb_clang.getTranslationUnitCursor
#define clang_getTypeSpelling          cb_clang.getTypeSpelling
#define clang_isCursorDefinition       cb_clang.isCursorDefinition
#define clang_parseTranslationUnit2    cb_clang.parseTranslationUnit2
#define clang_Cursor_getOffsetOfField  cb_clang.Cursor_getOffsetOfField
#define clang_Cursor_isBitField        cb_clang.Cursor_isBitField
#define clang_Type_getAlignOf          cb_clang.Type_getAlignOf
#define clang_Type_getSizeOf           cb_clang.Type_getSizeOf
#define clang_Type_getValueType        cb_clang.Type_getValueType
#define clang_getElementType           cb_clang.getElementType
#define clang_getEnumDeclIntegerType   cb_clang.getEnumDeclIntegerType
#define clang_getNumElements           cb_clang.getNumElements
#define clang_getTypeDeclaration       cb_clang.getTypeDeclaration
#define clang_visitChildren            cb_clang.visitChildren
#define clang_Cursor_getArgument       cb_clang.Cursor_getArgument
#define clang_Cursor_getNumArguments   cb_clang.Cursor_getNumArguments
#define clang_getResultType            cb_clang.getResultType
#define clang_Cursor_Evaluate          cb_clang.Cursor_Evaluate
#define clang_EvalResult_dispose       cb_clang.EvalResult_dispose
#define clang_EvalResult_getAsLongLong cb_clang.EvalResult_getAsLongLong
#define clang_EvalResult_getKind       cb_clang.EvalResult_getKind
